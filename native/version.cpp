// The version of package.json, and the commit that the working tree stood at when this file was compiled.
#include "native/version.h"

#include "commit.h"

namespace softalign {

std::string version() {
  const std::string commit = SOFTALIGN_COMMIT;
  return "softalign " SOFTALIGN_VERSION + (commit.empty() ? "" : ", built at commit " + commit);
}

}  // namespace softalign
