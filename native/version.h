// Which softalign this is.
#pragma once
#include <string>

namespace softalign {

// "softalign 0.1.0, built at commit 0123456789ab"; without the commit where it was not built in a git repository.
std::string version();

}  // namespace softalign
