//! An environment with the limits of the contest's runner: one core, little memory, no network.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::SubmissionError;
use crate::arena::{Cores, EngineConfig, PLAYING_VARIABLES, StartError, process};

/// The contest's 1 GB, in bytes.
const MEMORY: u64 = 1 << 30;

/// The limits under which programs run, as close to those of the contest's runner as this system
/// allows.
///
/// The control group of the memory is removed when this value is dropped.
pub struct ContestRunner {
    /// The core that programs are pinned to, if the cores are known.
    pub core: Option<usize>,
    /// The claim by which matches know that the core is taken.
    claim: Option<Cores>,
    network: Network,
    memory: MemoryLimit,
}

/// How the network is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Network {
    /// By a network namespace, made with these words of a command.
    Namespace(&'static [&'static str]),
    /// The network is not cut off.
    Open,
}

/// How memory is limited.
#[derive(PartialEq, Eq, Debug)]
enum MemoryLimit {
    /// The limit applies to all processes together, by a control group in this folder.
    Group(PathBuf),
    /// The limit applies to the address space of each process, which is larger than the memory in
    /// use.
    AddressSpace,
}

/// Variables besides [`PLAYING_VARIABLES`] that are not set on the contest's runner, and that
/// change what is built or played.
const UNSET: [&str; 8] = [
    "TENSAI_THREADS",
    "TENSAI_COMPILE_LIMIT",
    "TENSAI_SELFTEST",
    "RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_RUSTFLAGS",
    "OMP_NUM_THREADS",
    "OMP_THREAD_LIMIT",
];

impl ContestRunner {
    /// Finds the limits that this system allows.
    pub fn new() -> Self {
        let ways: [&[&str]; 2] = [&["unshare", "--net", "--"], &["unshare", "-r", "--net", "--"]];
        let works = |way: &&&[&str]| {
            let mut test = Command::new(way[0]);
            test.args(&way[1..]).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
            test.status().is_ok_and(|status| status.success())
        };
        let network = ways.iter().find(works).map_or(Network::Open, |way| Network::Namespace(way));
        let memory = group().map_or(MemoryLimit::AddressSpace, MemoryLimit::Group);
        // The contest's runner has one core, so that the programs are pinned even under a quota.
        let all = Cores::new(process::usable_cores());
        let claim = all.claim(1).ok().filter(|claim| claim.count() > 0);
        let taken = claim.as_ref().unwrap_or(&all).take(NonZeroUsize::MIN);
        let core = taken.and_then(|taken| taken.numbers().first().copied());
        Self { core, claim, network, memory }
    }

    /// Describes the limits, including those that are missing.
    pub fn describe(&self) -> String {
        let core = match self.core {
            Some(core) if self.claim.is_some() => format!("core {core} alone"),
            Some(core) => format!("core {core}, which a match may use as well"),
            None => "any core, because the system does not list its cores".to_owned(),
        };
        let memory = match &self.memory {
            MemoryLimit::Group(_) => "1 GB by a control group",
            MemoryLimit::AddressSpace => {
                "1 GB of address space a process, because no control group can be made here"
            }
        };
        let network = match self.network {
            Network::Namespace(_) => "no network",
            Network::Open => "network access, because `unshare --net` is not allowed here",
        };
        let quota = process::cpu_quota().filter(|&quota| quota < 1.0);
        let quota = quota.map_or_else(String::new, |quota| {
            format!(", of which a quota of the control group leaves {quota:.2}")
        });
        format!("{core}{quota}, {memory}, {network}")
    }

    /// Returns an engine that runs `script` of the submission in `folder`. If `output` is given,
    /// standard output goes to that file, and standard error takes the place of standard output.
    ///
    /// # Errors
    /// The words of the command cannot be quoted.
    pub fn engine(
        &self,
        script: &str,
        folder: &Path,
        output: Option<&Path>,
    ) -> Result<EngineConfig, StartError> {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            let quoted = shlex::try_quote(&path).map(|path| path.into_owned());
            quoted.map_err(|_| StartError::Words(script.to_owned()))
        };
        // Without these variables, the scripts must find the available cores and memory themselves.
        let mut shell = format!("unset {} {}; ", PLAYING_VARIABLES.join(" "), UNSET.join(" "));
        match &self.memory {
            MemoryLimit::Group(group) => {
                let path = quoted(&group.join("cgroup.procs"))?;
                shell += &format!("echo $$ > {path} || exit 125; ");
            }
            MemoryLimit::AddressSpace => shell += &format!("ulimit -v {}; ", MEMORY / 1024),
        }
        shell += "exec \"$@\"";
        if let Some(output) = output {
            shell += &format!(" 2>&1 >{}", quoted(output)?);
        }
        let mut words = vec!["sh", "-c", &shell, "sh"];
        if let Network::Namespace(way) = self.network {
            words.extend(way);
        }
        words.push(script);
        let command = shlex::try_join(words).map_err(|_| StartError::Words(script.to_owned()))?;
        let mut engine = EngineConfig::new("submission", command);
        engine.dir = Some(folder.to_owned());
        Ok(engine)
    }

    /// The peak memory of all processes together, in bytes, if it is known. It includes files in
    /// the system's cache.
    pub fn peak(&self) -> Option<u64> {
        let MemoryLimit::Group(group) = &self.memory else { return None };
        let files = ["memory.max_usage_in_bytes", "memory.peak"];
        files.iter().find_map(|file| fs::read_to_string(group.join(file)).ok()?.trim().parse().ok())
    }
}

impl Default for ContestRunner {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for ContestRunner {
    fn drop(&mut self) {
        if let MemoryLimit::Group(group) = &self.memory {
            // The group's processes have ended. If one hangs in a driver, the group stays, which
            // does no harm.
            let _ = fs::remove_dir(group);
        }
    }
}

/// Makes a new control group with the limit, if that is allowed: under the group of this process or
/// under the system's group, of version 1 or 2.
fn group() -> Option<PathBuf> {
    process::memory_groups().into_iter().find_map(|parent| {
        let group = parent.join(format!("tensai-runner-{}", std::process::id()));
        fs::create_dir(&group).ok()?;
        limit(&group).map_or_else(
            || {
                let _ = fs::remove_dir(&group);
                None
            },
            |()| Some(group.clone()),
        )
    })
}

/// Limits a control group's memory; `None` if it cannot be limited.
fn limit(group: &Path) -> Option<()> {
    let limit = ["memory.max", "memory.limit_in_bytes"]
        .into_iter()
        .find(|file| group.join(file).exists())?;
    fs::write(group.join(limit), MEMORY.to_string()).ok()?;
    // Memory must not be swapped out.
    let _ = fs::write(group.join("memory.swap.max"), "0");
    Some(())
}

/// The error for a script that cannot be started.
pub fn not_started(script: &str) -> impl FnOnce(StartError) -> SubmissionError {
    let file = script.trim_start_matches("./").to_owned();
    move |error| SubmissionError::Failed { file, reason: error.to_string() }
}
