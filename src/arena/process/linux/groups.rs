//! The control groups of this process: their folders, and the quota of processor time.

use std::fs;
use std::path::{Path, PathBuf};

use procfs::ProcessCGroups;
use procfs::prelude::FromRead as _;
use procfs::process::MountInfos;

/// The folders of the control groups that limit memory and in which a new group could be made:
/// those of this process and of the system, of version 1 or 2. None if the system does not list
/// them.
pub fn memory_groups() -> Vec<PathBuf> {
    let hierarchies = hierarchies(Path::new("/"), "memory").into_iter();
    let ends = |levels: Vec<PathBuf>| [levels.first().cloned(), levels.last().cloned()];
    hierarchies.flat_map(ends).flatten().collect()
}

/// The processor time that the control groups allow this process, in cores: the smallest quota of
/// its group and of all groups above it, of version 1 or 2. `None` without a quota.
pub fn cpu_quota() -> Option<f64> {
    quota_under(Path::new("/"))
}

/// As [`cpu_quota`], with the files in the folder `root`.
fn quota_under(root: &Path) -> Option<f64> {
    let groups = hierarchies(root, "cpu").into_iter().flatten();
    groups.filter_map(|group| quota_of(&group)).reduce(f64::min)
}

/// The quota of one group, in cores; `None` if it has none.
fn quota_of(group: &Path) -> Option<f64> {
    let read = |file: &str| fs::read_to_string(group.join(file)).ok();
    let (quota, period) = match read("cpu.max") {
        Some(text) => {
            let (quota, period) = text.trim().split_once(' ')?;
            (quota.to_owned(), period.to_owned())
        }
        None => (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?),
    };
    // `max` in version 2 and -1 in version 1 stand for no quota.
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|&number| number > 0.0);
    Some(number(&quota)? / number(&period)?)
}

/// For each mounted hierarchy that may have the `controller`, of version 1 or 2: the folder of this
/// process's group and those of the groups above it, as far as they are visible here. `root` is the
/// folder of all files, `/` but in tests.
fn hierarchies(root: &Path, controller: &str) -> Vec<Vec<PathBuf>> {
    let own = root.join("proc/self");
    let groups = ProcessCGroups::from_file(own.join("cgroup"));
    let mounts = MountInfos::from_file(own.join("mountinfo"));
    let (Ok(ProcessCGroups(groups)), Ok(MountInfos(mounts))) = (groups, mounts) else {
        return Vec::new();
    };
    let of_group = |controllers: &[String]| match controllers {
        [] => Some("cgroup2"),
        names => names.iter().any(|name| name == controller).then_some("cgroup"),
    };
    let mut found = Vec::new();
    for group in &groups {
        let Some(kind) = of_group(&group.controllers) else { continue };
        let is_here = |mount: &&procfs::process::MountInfo| {
            mount.fs_type == kind
                && (kind == "cgroup2" || mount.super_options.contains_key(controller))
        };
        for mount in mounts.iter().filter(is_here) {
            let top = root.join(mount.mount_point.strip_prefix("/").unwrap_or(&mount.mount_point));
            // In a container the mount may begin at the container's group. A group that is not
            // below the mount's beginning is not visible.
            let below = Path::new(&group.pathname).strip_prefix(&mount.root).ok();
            let below = below.filter(|path| !path.starts_with("..")).unwrap_or(Path::new(""));
            let levels = below.ancestors().map(|level| top.join(level));
            found.push(levels.collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const V2: &str = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

    /// The quota by these files, each with its path and text.
    fn quota(files: &[(&str, &str)]) -> Option<f64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        quota_under(root.path())
    }

    #[test]
    fn the_smallest_quota_of_the_nested_groups_counts() {
        let nested = |own: &str, middle: &str, top: &str| {
            quota(&[
                ("proc/self/cgroup", "0::/kubepods/pod1/box\n"),
                ("proc/self/mountinfo", V2),
                ("sys/fs/cgroup/kubepods/pod1/box/cpu.max", own),
                ("sys/fs/cgroup/kubepods/pod1/cpu.max", middle),
                ("sys/fs/cgroup/kubepods/cpu.max", top),
            ])
        };
        assert_eq!(nested("max 100000\n", "200000 100000\n", "max 100000\n"), Some(2.0));
        assert_eq!(nested("400000 100000\n", "max 100000\n", "150000 100000\n"), Some(1.5));
        assert_eq!(nested("12500 50000\n", "200000 100000\n", "max 100000\n"), Some(0.25));
        assert_eq!(nested("max 100000\n", "max 100000\n", "max 100000\n"), None);
        assert_eq!(nested("", "nonsense\n", "-1 0\n"), None, "files that cannot be understood");
    }

    #[test]
    fn quotas_of_version_1_are_read_where_the_controller_is_mounted() {
        let mounts = "33 31 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n\
            34 31 0:31 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
        let of = |group: &str, quota_us: &str| {
            quota(&[
                ("proc/self/cgroup", &format!("5:memory:/docker/abc\n4:cpu,cpuacct:{group}\n")),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", quota_us),
                ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/cpu,cpuacct/sub/cpu.cfs_quota_us", "-1\n"),
                ("sys/fs/cgroup/cpu,cpuacct/sub/cpu.cfs_period_us", "100000\n"),
                ("sys/fs/cgroup/memory/cpu.cfs_quota_us", "1000\n"),
                ("sys/fs/cgroup/memory/cpu.cfs_period_us", "100000\n"),
            ])
        };
        assert_eq!(of("/docker/abc", "250000\n"), Some(2.5));
        assert_eq!(of("/docker/abc/sub", "50000\n"), Some(0.5), "of the group above");
        assert_eq!(of("/docker/abc", "-1\n"), None);
        assert_eq!(of("/elsewhere", "50000\n"), Some(0.5), "a group that is not visible");
    }

    #[test]
    fn a_container_sees_its_quota_at_the_top_of_its_own_mount() {
        for group in ["0::/\n", "0::/../other\n", "1:name=systemd:/\n0::/\n"] {
            let files = [
                ("proc/self/cgroup", group),
                ("proc/self/mountinfo", V2),
                ("sys/fs/cgroup/cpu.max", "50000 100000\n"),
            ];
            assert_eq!(quota(&files), Some(0.5), "{group}");
        }
        assert_eq!(quota(&[]), None, "a system without control groups");
    }
}
