// The rules of the safetensors format, by their numbers in safetensors.h, and the files that broke other readers.
#include "shared/io/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io_bytes.h"

namespace softalign {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

AssertionResult accepted(const Bytes& file) {
  const Result<Header> header = read_header(file);
  return header ? AssertionSuccess() : AssertionFailure() << header.error().message;
}

// BAD_WEIGHTS with a message that has every one of `words`.
AssertionResult refused(const Bytes& file, std::initializer_list<std::string_view> words = {}) {
  const Result<Header> header = read_header(file);
  if (header) return AssertionFailure() << "it was accepted";
  if (header.error().code != ErrorCode::BAD_WEIGHTS) return AssertionFailure() << name(header.error().code);
  for (std::string_view word : words)
    if (header.error().message.find(word) == std::string::npos)
      return AssertionFailure() << "\"" << word << "\" is not in: " << header.error().message;
  return AssertionSuccess();
}

// One tensor "x" of two floats, with the fields as given.
Bytes with_fields(std::string_view fields) { return file_of("{\"x\":{" + std::string(fields) + "}}", 8); }
Bytes with_metadata(std::string_view metadata) {
  return file_of("{\"__metadata__\":" + std::string(metadata) + "}", 0);
}

TEST(Safetensors, Rule1LengthThenHeaderThenData) {
  Bytes file = file_of("{" + entry("x", "F32", "2", 0, 8) + "}", 8);
  file[file.size() - 5] = 0x3f, file[file.size() - 6] = 0x80;  // 1.0 in little-endian bytes
  const Result<Header> header = read_header(file);
  ASSERT_TRUE(header);
  ASSERT_EQ(header->tensors.size(), 1u);
  const TensorView& x = header->tensors[0];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.dtype, DType::F32);
  EXPECT_EQ(x.shape, std::vector<uint64_t>{2});
  EXPECT_EQ(x.begin, file.size() - 8);  // counted from the file's start
  EXPECT_EQ(x.end, file.size());
  EXPECT_EQ(to_floats(file, x), (std::vector<float>{1, 0}));
  EXPECT_EQ(header->find("x"), &x);
  EXPECT_EQ(header->find("y"), nullptr);
  EXPECT_TRUE(accepted(file_of("{}", 0)));
}

TEST(Safetensors, Rule2HeaderWithinItsLimitAndTheFile) {
  EXPECT_TRUE(refused({}, {"file ends early: 0 of at least 8 bytes"}));
  EXPECT_TRUE(refused({2, 0, 0, 0, 0, 0, 0}, {"file ends early: 7 of at least 8 bytes"}));
  EXPECT_TRUE(refused({2, 0, 0, 0, 0, 0, 0, 0}, {"file ends early: 8 of at least 10 bytes"}));
  EXPECT_TRUE(refused({2, 0, 0, 0, 0, 0, 0, 0, '{'}, {"file ends early: 9 of at least 10 bytes"}));
  EXPECT_TRUE(refused({0, 0xe1, 0xf5, 5, 0, 0, 0, 0, '{', '}'}, {"10 of at least 100000008 bytes"}));
  EXPECT_TRUE(refused({1, 0xe1, 0xf5, 5, 0, 0, 0, 0, '{', '}'}, {"header of 100000001 bytes", "allows 100000000"}));
  EXPECT_TRUE(refused({255, 255, 255, 255, 255, 255, 255, 255, '{', '}'}, {"header of 18446744073709551615 bytes"}));
}

TEST(Safetensors, Rule3OneObjectFromByte8) {
  EXPECT_TRUE(accepted(file_of("{}      ", 0)));
  EXPECT_TRUE(accepted(file_of("{ } \t\r\n", 0)));
  EXPECT_TRUE(refused(file_of("", 0), {"does not start with {"}));
  EXPECT_TRUE(refused(file_of("", 20, '{'), {"does not start with {"}));
  for (const char* header : {" {}", "[]", "\"x\"", "1", "\xef\xbb\xbf{}"})
    EXPECT_TRUE(refused(file_of(header, 0), {"does not start with {"})) << header;
  for (const char* header :
       {"{", "{}{}", "{},", "{}x", "{}\v", "{,}", "{\"x\"}", "{\"x\":}", "{\"x\":1}", "{x:1}", "{\"__metadata__\":{}"})
    EXPECT_TRUE(refused(file_of(header, 0), {"header is damaged", "byte "})) << header;
  EXPECT_TRUE(refused(file_of(std::string("{}\0", 3), 0), {"byte 10 of the file should be nothing but white space"}));
  EXPECT_TRUE(refused(file_of("{" + entry("x", "F32", "2", 0, 8) + ",}", 8), {"should be \""}));
}

TEST(Safetensors, Rule4ExactlyThreeFieldsInAnyOrder) {
  EXPECT_TRUE(accepted(with_fields(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])")));
  EXPECT_TRUE(accepted(with_fields(R"( "data_offsets" : [ 0 , 8 ] , "shape" : [ 2 ] , "dtype" : "F32" )")));
  EXPECT_TRUE(refused(with_fields(R"("dtype":"F32","shape":[2])"), {"tensor \"x\" lacks its data_offsets"}));
  EXPECT_TRUE(refused(with_fields(R"("dtype":"F32","data_offsets":[0,8])"), {"tensor \"x\" lacks its shape"}));
  EXPECT_TRUE(refused(with_fields(R"("shape":[2],"data_offsets":[0,8])"), {"tensor \"x\" lacks its dtype"}));
  EXPECT_TRUE(refused(with_fields(""), {"lacks its dtype"}));
  EXPECT_TRUE(refused(with_fields(R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"sparse":"no")"),
                      {"tensor \"x\" has an unknown field \"sparse\""}));
}

TEST(Safetensors, Rule5NoKeyTwice) {
  const std::string a = entry("a", "F32", "1", 0, 4), b = entry("a", "F32", "1", 4, 8);
  EXPECT_TRUE(refused(file_of("{" + a + "," + b + "}", 8), {"the key \"a\" twice"}));
  EXPECT_TRUE(refused(file_of("{" + a + "," + entry("\\u0061", "F32", "1", 4, 8) + "}", 8), {"the key \"a\" twice"}));
  EXPECT_TRUE(refused(file_of(R"({"__metadata__":{},"__metadata__":{}})", 0), {"\"__metadata__\" twice"}));
  EXPECT_TRUE(refused(with_metadata(R"({"k":"1","k":"2"})"), {"the key \"k\" twice"}));
  EXPECT_TRUE(
      refused(with_fields(R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])"), {"\"dtype\" twice"}));
}

TEST(Safetensors, Rule6MetadataOfStrings) {
  const Result<Header> header = read_header(with_metadata(R"({"format":"pt","note":"a \"b\""})"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->metadata, (Metadata{{"format", "pt"}, {"note", "a \"b\""}}));
  EXPECT_EQ(*find(header->metadata, "format"), "pt");
  EXPECT_EQ(find(header->metadata, "absent"), nullptr);
  for (const char* metadata : {"[]", "\"x\"", "null", R"({"a":1})", R"({"a":{}})", R"({"a":null})", R"({"a":["b"]})"})
    EXPECT_TRUE(refused(with_metadata(metadata), {"header is damaged"})) << metadata;
}

TEST(Safetensors, L69EmptyMetadata) {
  EXPECT_TRUE(accepted(with_metadata("{}")));
  EXPECT_TRUE(accepted(file_of("{\"__metadata__\":{}," + entry("x", "F32", "2", 0, 8) + "}", 8)));
}

TEST(Safetensors, Rule7Strings) {
  const auto text = [](std::string_view json) {
    const Result<Header> header = read_header(with_metadata("{\"k\":\"" + std::string(json) + "\"}"));
    return header ? header->metadata[0].second : "refused";
  };
  EXPECT_EQ(text(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(text(R"(\u0041\u00e9\u20AC)"), "A\u00e9\u20ac");
  EXPECT_EQ(text(R"(\ud83d\ude00)"), "\U0001f600");
  EXPECT_EQ(text(R"(\udbff\udfff)"), "\U0010ffff");
  EXPECT_EQ(text(R"(\u0000)"), std::string(1, '\0'));
  EXPECT_EQ(text("A\u00e9\u20ac\U0001f600\x7f"), "A\u00e9\u20ac\U0001f600\x7f");
  for (const char* bad : {R"(\x41)", R"(\u12)", R"(\u12g4)", R"(\U0041)", R"(\ud83d)", R"(\ud83dx)", R"(\ud83d\u0041)",
                          R"(\ude00)", R"(\ude00\ud83d)", R"(\)", "\n", "\t", "\x1f"})
    EXPECT_EQ(text(bad), "refused") << bad;
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x80\x80", "\xe2\x82", "\xed\xa0\x80",
                          "\xf0\x80\x80\x80", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    EXPECT_EQ(text(bad), "refused") << bad;
}

TEST(Safetensors, Rule8WholeNumbers) {
  const auto shaped = [](std::string_view n) {
    return with_fields(R"("dtype":"F32","shape":[)" + std::string(n) + R"(],"data_offsets":[0,8])");
  };
  EXPECT_TRUE(accepted(shaped("2")));
  EXPECT_TRUE(accepted(shaped("2,1")));
  for (const char* n : {"02", "-2", "+2", "2.0", "2e0", "0x2", "\"2\"", "true", "null", "2,", ",2", "2 1", "[2]", "{}"})
    EXPECT_TRUE(refused(shaped(n), {"header is damaged"})) << n;
  EXPECT_TRUE(refused(shaped("18446744073709551616"), {"under 2^64"}));
  EXPECT_TRUE(refused(shaped("99999999999999999999999999"), {"under 2^64"}));
  EXPECT_TRUE(refused(shaped("1,1,1,1,1,1,1,1,2"), {"the end of the list"}));  // rank_limit
}

TEST(Safetensors, Rule9FourOfTheDtypes) {
  for (DType dtype : {DType::F32, DType::F16, DType::BF16, DType::I8}) {
    const size_t size = bytes_of(dtype);
    const Result<Header> header = read_header(file_of("{" + entry("x", name(dtype), "", 0, size) + "}", size));
    ASSERT_TRUE(header);
    EXPECT_EQ(header->tensors[0].dtype, dtype);
  }
  for (const char* dtype : {"F64", "I64", "U8", "BOOL", "F8_E4M3", "f32", "F", "F321", ""})
    EXPECT_TRUE(refused(file_of("{" + entry("x", dtype, "1", 0, 8) + "}", 8),
                        {"tensor \"x\"", "\"" + std::string(dtype) + "\"", "F32, F16, BF16 and I8"}))
        << dtype;
}

TEST(Safetensors, Rule10ShapesAndTheirProduct) {
  EXPECT_TRUE(accepted(file_of("{" + entry("x", "F32", "", 0, 4) + "}", 4)));
  EXPECT_TRUE(accepted(file_of("{" + entry("x", "F32", "3,0,2", 0, 0) + "}", 0)));
  EXPECT_TRUE(accepted(file_of("{" + entry("x", "F16", "1,1,1,1,1,1,1,2", 0, 4) + "}", 4)));
  for (const char* shape :
       {"4294967296,4294967296", "18446744073709551615", "9223372036854775808,2,0", "4611686018427387904"})
    EXPECT_TRUE(refused(file_of("{" + entry("x", "F32", shape, 0, 0) + "}", 0), {"\"x\"", "larger than any file"}))
        << shape;
}

TEST(Safetensors, Rule11OffsetsMatchShapeAndDtype) {
  for (const char* shape : {"1", "3", "", "2,2", "0"})
    EXPECT_TRUE(refused(file_of("{" + entry("x", "F32", shape, 0, 8) + "}", 8), {"tensor \"x\"", "span 8"})) << shape;
  EXPECT_TRUE(refused(file_of("{" + entry("x", "F32", "2", 8, 0) + "}", 8), {"begin <= end"}));
  for (const char* offsets : {"", "0", "8", "0,8,8", "4611686018427387904,4611686018427387912"})
    EXPECT_TRUE(refused(with_fields(R"("dtype":"F32","shape":[2],"data_offsets":[)" + std::string(offsets) + "]")))
        << offsets;
}

TEST(Safetensors, L63OffsetsCheckedAgainstShape) {
  EXPECT_TRUE(refused(file_of("{" + entry("weight", "F32", "1000,1000", 0, 4) + "}", 4),
                      {"tensor \"weight\"", "(1000, 1000)", "needs 4000000 bytes", "span 4"}));
}

TEST(Safetensors, L64InconsistentFileOf91Bytes) {
  std::string header = R"({"weight":{"dtype":"F64","shape":[4],"data_offsets":[0,16]}})";
  header.resize(67, ' ');
  const Bytes file = file_of(header, 16);
  ASSERT_EQ(file.size(), 91u);
  EXPECT_TRUE(refused(file, {"tensor \"weight\" has dtype \"F64\""}));
}

TEST(Safetensors, Rule12TensorsCoverTheData) {
  const std::string a = entry("a", "F32", "1", 0, 4), b = entry("b", "F32", "2", 4, 12);
  EXPECT_TRUE(accepted(file_of("{" + a + "," + b + "}", 12)));
  EXPECT_TRUE(accepted(file_of("{" + b + "," + a + "}", 12)));  // any order of keys
  EXPECT_TRUE(accepted(file_of("{" + b + "," + entry("empty", "F32", "0", 4, 4) + "," + a + "}", 12)));
  EXPECT_TRUE(refused(file_of("{" + a + "," + b + "}", 13), {"1 bytes of its data belong to no tensor"}));
  EXPECT_TRUE(refused(file_of("{" + b + "}", 12), {"4 bytes of its data belong to no tensor"}));
  EXPECT_TRUE(refused(file_of("{" + a + "," + entry("b", "F32", "1", 8, 12) + "}", 12), {"4 bytes of its data"}));
  EXPECT_TRUE(refused(file_of("{}", 1), {"1 bytes of its data"}));
  EXPECT_TRUE(refused(file_of("{" + a + "," + entry("b", "F32", "2", 0, 8) + "}", 8), {"\"a\" and \"b\" overlap"}));
  EXPECT_TRUE(refused(file_of("{" + a + "," + entry("b", "F32", "1", 0, 4) + "}", 4), {"\"a\" and \"b\" overlap"}));
  EXPECT_TRUE(
      refused(file_of("{" + b + "," + entry("c", "F16", "1", 7, 9) + "," + a + "}", 12), {"\"b\" and \"c\" overlap"}));
  EXPECT_TRUE(refused(file_of("{" + entry("empty", "F32", "0", 6, 6) + "," + a + "," + b + "}", 12), {"overlap"}));
}

TEST(Safetensors, L68CutAnywhere) {
  const std::string header = "{" + entry("a", "F32", "5", 0, 20) + "," + entry("b", "F16", "3", 20, 26) + "}";
  const Bytes whole = file_of(header, 26);
  ASSERT_TRUE(accepted(whole));
  for (size_t size = 0; size < whole.size(); ++size) {
    const size_t known = size < 8 ? 8 : size < 8 + header.size() ? 8 + header.size() : whole.size();
    const std::string at_least = known == whole.size() ? "" : "at least ";
    EXPECT_TRUE(
        refused(Bytes(whole.begin(), whole.begin() + size),
                {"file ends early: " + std::to_string(size) + " of " + at_least + std::to_string(known) + " bytes"}));
  }
}

TEST(Safetensors, Rule13LittleEndianNumbersOfAnyValue) {
  Bytes file = file_of("{" + entry("a", "F32", "2", 0, 8) + "," + entry("b", "F16", "2", 8, 12) + "," +
                           entry("c", "BF16", "2", 12, 16) + "}",
                       0);
  for (int byte : {0x00, 0x00, 0xc0, 0xbf, 0x00, 0x00, 0xc0, 0x7f, 0x00, 0x3e, 0x00, 0x7c, 0x20, 0xc0, 0x80, 0x7f})
    file.push_back(static_cast<uint8_t>(byte));
  const Result<Header> header = read_header(file);
  ASSERT_TRUE(header);
  const std::vector<float> a = to_floats(file, header->tensors[0]);
  EXPECT_EQ(a[0], -1.5f);
  EXPECT_TRUE(std::isnan(a[1]));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(to_floats(file, header->tensors[1]), (std::vector<float>{1.5f, infinity}));
  EXPECT_EQ(to_floats(file, header->tensors[2]), (std::vector<float>{-2.5f, infinity}));
  for (const TensorView& view : header->tensors) EXPECT_FALSE(all_finite(file, view));
}

TEST(Safetensors, LimitsOfThisReader) {
  std::string tensors, metadata;
  for (size_t i = 0; i < tensor_limit; ++i)
    tensors += (i ? "," : "") + entry("t" + std::to_string(i), "F32", "0", 0, 0);
  EXPECT_TRUE(accepted(file_of("{" + tensors + "}", 0)));
  EXPECT_TRUE(
      refused(file_of("{" + tensors + "," + entry("one more", "F32", "0", 0, 0) + "}", 0), {"more than 1024 tensors"}));
  for (size_t i = 0; i < metadata_limit; ++i) metadata += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
  EXPECT_TRUE(accepted(with_metadata("{" + metadata + "}")));
  EXPECT_TRUE(refused(with_metadata("{" + metadata + ",\"k\":\"\"}"), {"more than 256 entries"}));
}

TEST(Safetensors, LongAndOddNamesInMessages) {
  const Bytes file = file_of("{" + entry("\\u001b[31m" + std::string(5000, 'x'), "F64", "1", 0, 8) + "}", 8);
  EXPECT_TRUE(refused(file, {"tensor \"?[31mxxxx", "xxx...\" has dtype"}));
  EXPECT_LT(read_header(file).error().message.size(), 300u);
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "\u20ac";  // 60 bytes end after a whole one, 59 and 61 do not
  for (const char* start : {"", "x", "xx"}) {
    const Result<Header> header = read_header(file_of("{" + entry(start + accents, "F64", "1", 0, 8) + "}", 8));
    EXPECT_TRUE(accepted(with_metadata("{\"message\":\"" + std::string(start) + "\"}")));
    const std::string& message = header.error().message;
    const size_t cut = message.find("...");
    ASSERT_NE(cut, std::string::npos);
    EXPECT_EQ(message.substr(cut - 3, 3), "\u20ac");
  }
}

TEST(Safetensors, L67ForeignFormats) {
  std::string torch_zip("PK\3\4" + std::string(22, '\0') + std::string("\x10\0\0\0", 4) + "archive/data.pkl" +
                        std::string(50, '\0'));
  std::string numpy_zip("PK\3\4" + std::string(22, '\0') + std::string("\x0e\0\0\0", 4) + "W_o.weight.npy" +
                        std::string(50, '\0'));
  EXPECT_TRUE(refused(bytes(torch_zip), {"torch.save", "import torch", "torch.load(", "save_file("}));
  EXPECT_TRUE(refused(bytes(torch_zip.substr(0, 10)), {"torch.save"}));
  EXPECT_TRUE(refused(bytes(torch_zip.substr(0, 34)), {"torch.save"}));
  EXPECT_TRUE(refused(bytes(numpy_zip), {".npz", "import numpy", "numpy.load(", "save_file("}));
  EXPECT_TRUE(refused(bytes("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."), {"torch.save", "torch.load("}));
  EXPECT_TRUE(refused(bytes("\x80\x04\x95pickle"), {"torch.save"}));
  EXPECT_TRUE(refused(bytes(std::string("\x93NUMPY\x01\0v\0{'descr': '<f4'}", 27)), {".npy"}));
  EXPECT_TRUE(refused(bytes("\x89HDF\r\n\x1a\n and more"), {"HDF5"}));
  EXPECT_TRUE(refused(bytes("\x1f\x8b\x08 and more"), {"gzip", "unpack"}));
  EXPECT_TRUE(refused(bytes("GGUF\x03 and more"), {"GGUF"}));
  EXPECT_TRUE(refused(bytes("<!DOCTYPE html><html>"), {"web page", "check the address"}));
  EXPECT_TRUE(refused(bytes("<html><body>404"), {"web page"}));
  EXPECT_TRUE(refused(bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0"), {"Git LFS", "git lfs pull"}));
  EXPECT_TRUE(refused(bytes("{\"name\": \"dot\"}"), {"JSON"}));
  EXPECT_TRUE(refused(bytes("{\"dot\": {\"steps\": 500}}"), {"JSON"}));
  EXPECT_TRUE(refused(bytes("some text that is nothing in particular"), {"not a safetensors file"}));
}

TEST(Safetensors, AdviceOnTorchFilesIsThreeLinesOfPython) {
  const std::string message = read_header(bytes("PK\3\4 a zip archive")).error().message;
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 3);
}

TEST(Safetensors, WhatIsWrittenReadsBack) {
  const std::vector<float> a{1.5f, -0.25f, 0, -0.0f, 3e-5f, 60000}, b{7};
  const std::vector<TensorValues> tensors{
      {"a \"quoted\"\\\n\u20ac", {2, 3}, a}, {"scalar", {}, b}, {"none", {0, 4}, {}}};
  const Metadata metadata{{"k", "\x01\x1f \"v\" \\ \u00e9"}, {"empty", ""}};
  for (DType dtype : {DType::F32, DType::F16, DType::BF16}) {
    const Result<Bytes> file = write(tensors, metadata, dtype);
    ASSERT_TRUE(file);
    EXPECT_EQ((*file)[0] % 8, 0);  // the data is aligned
    const Result<Header> header = read_header(*file);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->metadata, metadata);
    ASSERT_EQ(header->tensors.size(), tensors.size());
    for (size_t t = 0; t < tensors.size(); ++t) {
      const TensorView& view = header->tensors[t];
      EXPECT_EQ(view.name, tensors[t].name);
      EXPECT_EQ(view.shape, tensors[t].shape);
      EXPECT_EQ(view.dtype, dtype);
      const std::vector<float> values = to_floats(*file, view);
      ASSERT_EQ(values.size(), tensors[t].values.size());
      const float precision = dtype == DType::F32 ? 0 : dtype == DType::F16 ? 0x1p-11f : 0x1p-8f;
      for (size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], tensors[t].values[i], precision * std::abs(values[i]) + (precision ? 0x1p-25f : 0));
    }
  }
  EXPECT_TRUE(accepted(*write({}, {}, DType::F16)));
}

TEST(Safetensors, WriteRefusesWhatTheReaderWould) {
  const std::vector<float> one{1}, nan{std::nanf("")}, infinite{-std::numeric_limits<float>::infinity()}, large{65520};
  const auto code = [](const Result<Bytes>& file) { return file ? "written" : name(file.error().code); };
  const auto of = [](const std::vector<float>& values) {
    return std::vector<TensorValues>{{"W_o.weight", {1}, values}};
  };
  EXPECT_STREQ(code(write(of(nan), {}, DType::F32)), "NOT_FINITE");
  EXPECT_STREQ(code(write(of(infinite), {}, DType::BF16)), "NOT_FINITE");
  EXPECT_STREQ(code(write(of(large), {}, DType::F16)), "NOT_FINITE");
  EXPECT_STREQ(code(write(of(large), {}, DType::F32)), "written");
  EXPECT_NE(write(of(nan), {}, DType::F16).error().message.find("\"W_o.weight\""), std::string::npos);
  EXPECT_STREQ(code(write(std::vector<TensorValues>{{"a", {1}, one}, {"a", {1}, one}}, {}, DType::F32)), "BAD_WEIGHTS");
  EXPECT_STREQ(code(write(std::vector<TensorValues>{{"a", {2}, one}}, {}, DType::F32)), "BAD_WEIGHTS");
  EXPECT_STREQ(code(write(std::vector<TensorValues>{{"__metadata__", {1}, one}}, {}, DType::F32)), "BAD_WEIGHTS");
  EXPECT_STREQ(code(write({}, {{"k", "1"}, {"k", "2"}}, DType::F32)), "BAD_WEIGHTS");
  EXPECT_STREQ(code(write({}, {{"k", "\xff"}}, DType::F32)), "BAD_WEIGHTS");
}

}  // namespace
}  // namespace softalign
