// One table of a report, with a caption and with scopes for those who hear it.
#pragma once
#include <string>
#include <vector>

namespace softalign {

// Cells are markup already.
class ReportTable {
 public:
  ReportTable(std::string caption, std::vector<std::string> titles);
  // The first cell names the row; that of chance is quieter.
  void row(const std::vector<std::string>& cells);
  // A line over the rows that follow.
  void group(const std::string& title);
  std::string html() const;

 private:
  std::string caption_;
  std::vector<std::string> titles_;
  std::string body_;
};

}  // namespace softalign
