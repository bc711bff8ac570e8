// Lays rows out as an HTML table that scrolls within its own frame where the page is narrower.
#include "native/report_table.h"

#include <utility>

namespace softalign {
namespace {

std::string cell(const std::string& tag, const std::string& attributes, const std::string& markup) {
  return "<" + tag + attributes + ">" + markup + "</" + tag + ">";
}

}  // namespace

ReportTable::ReportTable(std::string caption, std::vector<std::string> titles)
    : caption_(std::move(caption)), titles_(std::move(titles)) {}

void ReportTable::above(const std::vector<std::pair<std::string, int>>& titles) {
  above_ = "<td></td>";
  for (const auto& [title, columns] : titles)
    above_ += cell("th", " scope=\"colgroup\" colspan=\"" + std::to_string(columns) + "\"", "<span>" + title + "</span>");
  above_ = cell("tr", "", above_);
}

void ReportTable::row(const std::vector<std::string>& cells) {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i)
    text += i == 0 ? cell("th", " scope=\"row\"", cells[i]) : cell("td", "", cells[i]);
  const bool by_chance = !cells.empty() && cells[0] == "by chance";
  body_ += (body_.empty() ? "<tbody>" : "") + cell("tr", by_chance ? " class=\"by-chance\"" : "", text) + "\n";
}

void ReportTable::group(const std::string& title) {
  const std::string columns = std::to_string(titles_.size());
  body_ += std::string(body_.empty() ? "" : "</tbody>") + "<tbody>" +
           cell("tr", "", cell("th", " class=\"group\" scope=\"rowgroup\" colspan=\"" + columns + "\"", title)) + "\n";
}

std::string ReportTable::html() const {
  std::string head;
  for (const std::string& title : titles_) head += cell("th", " scope=\"col\"", title);
  return "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Table: " + caption_ + "\"><table><caption><span>" +
         caption_ + "</span></caption><thead>" + above_ + "<tr>" + head + "</tr></thead>\n" + body_ + "</tbody></table></div>\n";
}

}  // namespace softalign
