# Writes OUT, a source file that holds the bytes of PAGE.
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
# Lines of 32 bytes: compilers are slow on very long lines.
string(REGEX REPLACE "((0x..,){32})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "// Made by the build from report/.
#include \"page/template.hpp\"

namespace repsc {
namespace {
constexpr unsigned char page[] = {
${bytes}0};
}  // namespace

std::string_view page_template() {
  return {reinterpret_cast<const char*>(page), sizeof(page) - 1};
}

}  // namespace repsc
")
