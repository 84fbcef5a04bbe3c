// AtomicFile: the old file or the new one, never a part.
#include "io/atomic_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "repsc/core.hpp"
#include "support/temporary_folder.hpp"

namespace repsc {
namespace {

TEST(AtomicFile, replaces_the_old_file_only_on_commit) {
  const TemporaryFolder folder;
  folder.write("result", "old");
  {
    AtomicFile file(folder / "result");
    file.write("ne");
    file.write("w");
    EXPECT_EQ(folder.read("result"), "old");
    file.commit();
    EXPECT_EQ(folder.read("result"), "new");
  }
  EXPECT_EQ(folder.read("result"), "new");
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST(AtomicFile, leaves_the_old_file_and_nothing_else_without_commit) {
  const TemporaryFolder folder;
  folder.write("result", "old");
  {
    AtomicFile file(folder / "result");
    file.write("half of the n");
  }
  EXPECT_EQ(folder.read("result"), "old");
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST(AtomicFile, keeps_two_open_files_apart) {
  const TemporaryFolder folder;
  AtomicFile one(folder / "one");
  AtomicFile two(folder / "two");
  one.write("1");
  two.write("2");
  two.commit();
  one.commit();
  EXPECT_EQ(folder.read("one") + folder.read("two"), "12");
}

TEST(AtomicFile, is_cleaned_up_by_remove_temporary_files) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "result");
  EXPECT_EQ(folder.num_files(), 1U);
  remove_temporary_files();
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(TemporaryOfAnother, is_cleaned_up_as_long_as_it_is_known) {
  const TemporaryFolder folder;
  folder.write("theirs", "part");
  {
    const TemporaryOfAnother known(folder / "theirs");
    remove_temporary_files();
    EXPECT_EQ(folder.num_files(), 0U);
    folder.write("theirs", "part");
  }
  remove_temporary_files();  // it has been committed meanwhile
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST(AtomicFile, removes_what_killed_processes_left_and_nothing_else) {
  const TemporaryFolder folder;
  std::string abandoned;
  {
    const AtomicFile file(folder / "result");
    abandoned = file.temporary_path();
  }
  // A number that no process has: those of Linux end at 2^22.
  abandoned.replace(abandoned.rfind('-') + 1, std::string::npos, "4194999");
  const std::string name = std::filesystem::path(abandoned).filename();
  // The folder was looked at already, so another one is needed.
  const TemporaryFolder other;
  other.write(name, "half");
  other.write(name + ".Ab3xYz", "half");  // libzip's
  other.write("G.txt.tmp5227", "someone's own");
  other.write("x.tmp-repsc-00000000-4194999", "of another machine");
  AtomicFile file(other / "result");
  file.write("new");
  file.commit();
  EXPECT_EQ(other.num_files(), 3U);
  EXPECT_EQ(other.read("G.txt.tmp5227"), "someone's own");
}

TEST(AtomicFile, names_the_file_and_the_reason_where_it_cannot_write) {
  const TemporaryFolder folder;
  const auto message = [](const std::string& path) -> std::string {
    try {
      AtomicFile file(path);
      file.write("text");
      file.commit();
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(folder / ""), folder / "" + ": cannot write: it is a directory");
  EXPECT_EQ(message(folder / "missing/file"),
            folder / "missing/file" + ": cannot write: No such file or directory");
  EXPECT_EQ(message("/dev/full"), "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(message("/dev/null"), "no error");
}

}  // namespace
}  // namespace repsc
