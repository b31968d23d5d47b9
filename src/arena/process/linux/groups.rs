//! The control groups of this process.

use std::path::{Path, PathBuf};

use procfs::process::Process;

/// The folders of the control groups that limit memory and that a new group could be made in: those
/// of this process and of the system, of version 1 or 2. None if the system does not list them.
pub fn memory_groups() -> Vec<PathBuf> {
    let groups = Process::myself().and_then(|own| own.cgroups());
    let mut folders = Vec::new();
    for group in groups.into_iter().flatten() {
        let mount = match &group.controllers[..] {
            [] => Path::new("/sys/fs/cgroup"),
            controllers if controllers.iter().any(|name| name == "memory") => {
                Path::new("/sys/fs/cgroup/memory")
            }
            _ => continue,
        };
        folders.push(mount.join(group.pathname.trim_start_matches('/')));
        folders.push(mount.to_owned());
    }
    folders
}
