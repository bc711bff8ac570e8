// One table of a report, with a caption and with scopes for those who hear it.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace softalign {

// Cells are markup already.
class ReportTable {
 public:
  ReportTable(std::string caption, std::vector<std::string> titles);
  // A row of titles over the first one: each with the number of columns that it stands over.
  void above(const std::vector<std::pair<std::string, int>>& titles);
  // The first cell names the row; that of chance is quieter.
  void row(const std::vector<std::string>& cells);
  // A line over the rows that follow.
  void group(const std::string& title);
  std::string html() const;

 private:
  std::string caption_;
  std::vector<std::string> titles_;
  std::string above_, body_;
};

}  // namespace softalign
