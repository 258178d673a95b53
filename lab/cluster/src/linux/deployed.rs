//! Our schedules in the place of the library's algorithms: trees for the interposer, and the settings of a launch with it.

use std::fs;

use qtdec_core::{Axis, DecisionMap, Document, Domain, Method, Options};
use qtdec_mpi_schedule::Collective;

use super::chain::Chain;
use super::promised::Promised;

/// Writes a tree with a method of ours for each size, and returns the script with the settings of a launch that uses it. `sites` is
/// the ending of the methods' names if they know the sites.
pub(super) fn deploy(
    chain: &Chain,
    collective: Collective,
    (ranks, msg_sizes): (u32, &[u64]),
    methods: &[Promised],
    sites: &str,
) -> Result<String, String> {
    let folder = chain.folder.join(format!("{collective}-tree"));
    let settings = chain.folder.join(format!("{collective}.sh"));
    let write = || {
        fs::create_dir_all(&folder)?;
        let tree = tree(collective, (ranks, msg_sizes), methods, sites).map_err(std::io::Error::other)?;
        fs::write(folder.join(format!("{collective}.tree.json")), tree)?;
        // Trees and the library that is preloaded are passed on by the program that takes the place of ssh.
        let library = chain.folder.join("bench/libqtdec_mpi.so");
        let text = format!("export QTDEC_TREES='{}' LD_PRELOAD='{}'\n", folder.display(), library.display());
        fs::write(&settings, text)
    };
    write().map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(settings.display().to_string())
}

fn tree(
    collective: Collective,
    (ranks, msg_sizes): (u32, &[u64]),
    chosen: &[Promised],
    sites: &str,
) -> Result<String, String> {
    let of = |promised: &Promised| {
        let name = format!("own_{}{sites}", promised.name);
        Method { segment_size: promised.segment, ..Method::new(name) }
    };
    let mut methods: Vec<Method> = Vec::new();
    for method in chosen.iter().map(of) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let axes = vec![Axis::new("comm_size", [u64::from(ranks)]), Axis::new("msg_size", msg_sizes.to_vec())];
    let domain = Domain::new(Some(collective.name().to_owned()), axes, methods);
    let domain = domain.map_err(|error| error.to_string())?;
    let cells = chosen.iter().map(|promised| domain.find_method(&of(promised).label())).collect();
    let options = Options::parse::<&str>(&[]).map_err(|faults| faults.to_string())?;
    let map = DecisionMap::new(domain, cells).map_err(|problems| problems.to_string())?;
    let tree = options.tree(Document::Map(map)).map_err(|problems| problems.to_string())?;
    tree.to_file().map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_our_methods_for_the_sites() {
        let promised = |segment| Promised { name: "multirail".to_owned(), segment, seconds: 1.0 };
        let chosen = [promised(None), promised(Some(1024))];
        let text = tree(Collective::Bcast, (8, &[1 << 10, 1 << 16]), &chosen, "_2x4").unwrap();
        assert!(
            text.contains("\"own_multirail_2x4\"") && text.contains("\"own_multirail_2x4/1024\""),
            "{text}"
        );
        let tree = Document::from_json(text.as_bytes()).unwrap().into_tree();
        assert!(tree.is_some());
    }
}
