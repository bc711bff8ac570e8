// The contestants of the training bench: the lab's loop as its notebook writes it, and the trainer's step. For each round
// and contestant it prints `name TAB milliseconds a step`, and last the loss that each had after the same steps.
#include <torch/torch.h>

#include <chrono>
#include <iostream>

#include "native/openblas.h"
#include "native/torch_model.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

// A step that failed must not be timed as a fast one.
void require(const Status& status) {
  if (status) return;
  std::cerr << status.error().message << std::endl;
  std::exit(1);
}

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual void step(const std::vector<uint32_t>& indices) = 0;
  virtual double loss() const = 0;  // of the last step
};

// The lab's model out of LibTorch's own modules, under its state_dict names.
struct LabModel : torch::nn::Module {
  LabModel(const Config& c, const PlainParameters& plain) : config(c) {
    src_emb = register_module("src_emb", torch::nn::Embedding(torch::nn::EmbeddingOptions(c.V_src, c.d_emb).padding_idx(0)));
    tgt_emb = register_module("tgt_emb", torch::nn::Embedding(torch::nn::EmbeddingOptions(c.V_tgt, c.d_emb).padding_idx(0)));
    enc = register_module("enc", torch::nn::GRU(torch::nn::GRUOptions(c.d_emb, c.d_h).batch_first(true)));
    dec = register_module("dec", torch::nn::GRU(torch::nn::GRUOptions(c.d_emb, c.d_h).batch_first(true)));
    W_o = register_module("W_o", torch::nn::Linear(c.d_h, c.V_tgt));
    if (c.attends()) W_c = register_module("W_c", torch::nn::Linear(2 * c.d_h, c.d_h));
    if (c.score == Score::additive) {
      W_q = register_parameter("W_q", torch::empty({c.d_a, c.d_h}));
      W_k = register_parameter("W_k", torch::empty({c.d_a, c.d_h}));
      u = register_parameter("u", torch::empty({c.d_a}));
    }
    torch::NoGradGuard no_grad;
    auto named = named_parameters();
    each_parameter(c, plain, [&](const ParameterInfo& info, const std::vector<float>& weight) {
      torch::Tensor& target = named[std::string(info.name)];
      target.copy_(torch::tensor(weight).view(target.sizes()));
    });
  }

  torch::Tensor loss(const torch::Tensor& src, const torch::Tensor& lengths, const torch::Tensor& tgt_in,
                     const torch::Tensor& tgt_out) {
    namespace rnn = torch::nn::utils::rnn;
    auto packed = rnn::pack_padded_sequence(src_emb(src), lengths, /*batch_first=*/true, /*enforce_sorted=*/false);
    auto [states, h_S] = enc->forward_with_packed_input(packed);
    const torch::Tensor h = std::get<0>(rnn::pad_packed_sequence(states, /*batch_first=*/true));
    const torch::Tensor s = std::get<0>(dec(tgt_emb(tgt_in), h_S));
    torch::Tensor top = s;
    if (config.attends()) {
      const torch::Tensor padding = src.eq(0).unsqueeze(1);
      const torch::Tensor alpha = scores(s, h).masked_fill(padding, -INFINITY).softmax(-1);
      top = torch::tanh(W_c(torch::cat({s, alpha.bmm(h)}, -1)));
    }
    return torch::nn::functional::cross_entropy(W_o(top).flatten(0, 1), tgt_out.flatten(),
                                                torch::nn::functional::CrossEntropyFuncOptions().ignore_index(0));
  }
  torch::Tensor scores(const torch::Tensor& s, const torch::Tensor& h) const {
    if (config.score == Score::dot) return s.bmm(h.transpose(1, 2));
    const torch::Tensor q = s.matmul(W_q.t()), k = h.matmul(W_k.t());
    return torch::tanh(q.unsqueeze(2) + k.unsqueeze(1)).matmul(u);
  }

  Config config;
  torch::nn::Embedding src_emb{nullptr}, tgt_emb{nullptr};
  torch::nn::GRU enc{nullptr}, dec{nullptr};
  torch::nn::Linear W_o{nullptr}, W_c{nullptr};
  torch::Tensor W_q, W_k, u;
};

// Batches built for every step, packed sequences, LibTorch's Adam and clipping, and every loss read.
class LabLoop : public Contestant {
 public:
  LabLoop(const Config& config, const PlainParameters& plain, const std::vector<EncodedExample>& examples, int threads)
      : model_(config, plain), adam_(model_.parameters(), torch::optim::AdamOptions(2e-3)), examples_(examples),
        threads_(threads) {}
  void step(const std::vector<uint32_t>& indices) override {
    at::set_num_threads(threads_);
    set_openblas_threads(threads_);
    std::vector<const EncodedExample*> chosen;
    for (const uint32_t index : indices) chosen.push_back(&examples_[index]);
    Batch batch = *make_batch(chosen);
    auto tensor = [&](std::vector<int32_t>& ids, int columns) {
      return torch::from_blob(ids.data(), {batch.B, columns}, torch::kInt32).to(torch::kInt64);
    };
    adam_.zero_grad();
    const torch::Tensor loss = model_.loss(tensor(batch.src, batch.S), tensor(batch.lengths, 1).squeeze(1),
                                           tensor(batch.tgt_in, batch.T), tensor(batch.tgt_out, batch.T));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model_.parameters(), 1.0);
    adam_.step();
    loss_ = loss.item<double>();
  }
  double loss() const override { return loss_; }

 private:
  LabModel model_;
  torch::optim::Adam adam_;
  const std::vector<EncodedExample>& examples_;
  int threads_;
  double loss_ = 0;
};

class Ours : public Contestant {
 public:
  Ours(const Config& config, const PlainParameters& plain, const std::vector<EncodedExample>& examples, int threads)
      : model_(std::move(*TorchModel::create(config, plain, {"cpu", threads, "own"}))) {
    require(model_->keep(examples));
  }
  void step(const std::vector<uint32_t>& indices) override {
    TorchModel::use_one_thread();  // the lab's loop before may have taken more
    require(model_->train_step(indices));
  }
  double loss() const override { return model_->last_loss(); }

 private:
  std::unique_ptr<TorchModel> model_;
};

int run(const Config& config, int rounds, int steps) {
  Random random(0);
  const PlainParameters plain = initialise(config, random);
  std::vector<EncodedExample> examples;
  for (const Example& example : train_split()) examples.push_back(*encode_example(example.source, example.target));
  std::vector<std::pair<std::string, std::unique_ptr<Contestant>>> all;
  all.emplace_back("lab 1", std::make_unique<LabLoop>(config, plain, examples, 1));
  all.emplace_back("lab 2", std::make_unique<LabLoop>(config, plain, examples, 2));
  all.emplace_back("ours 1", std::make_unique<Ours>(config, plain, examples, 1));
  all.emplace_back("ours 2", std::make_unique<Ours>(config, plain, examples, 2));

  BatchOrder order;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    std::vector<std::vector<uint32_t>> batches;
    for (int step = 0; step < steps; ++step) batches.push_back(order.next());
    for (auto& [name, contestant] : all) {
      const auto begin = std::chrono::steady_clock::now();
      for (const auto& batch : batches) contestant->step(batch);
      const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
      if (round) std::cout << name << '\t' << taken.count() / steps << std::endl;
    }
  }
  for (auto& [name, contestant] : all) std::cout << "loss\t" << name << '\t' << contestant->loss() << std::endl;
  return 0;
}

}  // namespace
}  // namespace softalign

int main(int argc, char** argv) {
  using namespace softalign;
  Config config;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 0, steps = argc > 3 ? std::atoi(argv[3]) : 0;
  const std::string score = argc > 1 ? argv[1] : "";
  if ((score != "dot" && score != "additive") || rounds < 1 || steps < 1) {
    std::cerr << "usage: train_bench dot|additive ROUNDS STEPS\n";
    return 2;
  }
  config.score = score == "dot" ? Score::dot : Score::additive;
  if (name_processor_for_openblas()) restart(argv);
  return run(config, rounds, steps);
}
