// Which symbolic links a program may follow that follows them by itself, one by one.
#pragma once

namespace skipper {

/// The folder that a link is in, and who owns both.
struct LinkPlace {
  bool shared = false;  // all may write in the folder, and nobody remove what is another's: /tmp
  unsigned folder_owner = 0, link_owner = 0;
};

/// The rule by which Linux follows links (fs.protected_symlinks): in a shared folder only those of who follows, or of the
/// folder's owner, since others there plant links to files that are not theirs to write.
constexpr bool may_follow(LinkPlace const& place, unsigned follower) {
  return !place.shared || place.link_owner == follower || place.link_owner == place.folder_owner;
}

}  // namespace skipper
