//! Matching of a map's methods to a library's algorithms.

use qtdec_core::{Domain, Method, MethodIndex};

use super::{Algorithm, Library, open_mpi};
use qtdec_core::listing::shortened;
use qtdec_core::similar::suggestion;

/// The library's algorithm for each method of a domain, if there is one.
#[derive(Clone, Debug)]
pub struct Matching {
    algorithms: Vec<Option<&'static Algorithm>>,
    given: Vec<Option<String>>,
}

/// Returns the fault of a method that a domain does not have.
pub fn no_method(domain: &Domain, name: &str) -> String {
    let known: Vec<String> = domain.methods().iter().map(Method::label).collect();
    let known = suggestion(name, "methods", known.iter().map(String::as_str));
    format!("there is no method `{}`: {known}", shortened(name))
}

impl Matching {
    /// Matches the methods to the algorithms of `collective`: as given in `given`, otherwise by name, otherwise, for Open MPI,
    /// by `id`, by a number as the name, or by a name that ends in `_ompi`. `given` holds pairs of a method (its name, or its label
    /// with segment size) and an algorithm, which may have parameters, as in `chain:fanout=4`.
    ///
    /// # Errors
    ///
    /// Fails if the method or algorithm of a pair does not exist.
    pub fn new(
        domain: &Domain,
        library: Library,
        collective: &str,
        given: &[(String, String)],
    ) -> Result<Self, String> {
        let named = |method: &Method, name: &str| method.name == name || method.label() == name;
        let mut matched = Vec::new();
        for (name, algorithm) in given {
            if !domain.methods().iter().any(|method| named(method, name)) {
                return Err(no_method(domain, name));
            }
            let plain = without_parameters(algorithm);
            let found = find_by_name_or_id(library, collective, plain).ok_or_else(|| {
                let known = library.algorithms(collective).iter().map(|known| known.name);
                let known = suggestion(plain, "algorithms", known);
                format!("{} has no algorithm `{plain}` for {collective}: {known}", library.name())
            })?;
            matched.push((name, found, algorithm));
        }
        let algorithm = |method: &Method| match matched.iter().find(|(name, ..)| named(method, name)) {
            Some((_, found, given)) => (Some(*found), Some((*given).clone())),
            None => (guess(library, collective, method), None),
        };
        let (algorithms, given) = domain.methods().iter().map(algorithm).unzip();
        Ok(Self { algorithms, given })
    }

    /// Returns the algorithm of a method.
    pub fn get(&self, method: MethodIndex) -> Option<&'static Algorithm> {
        self.algorithms[method.get()]
    }

    /// Returns whether the algorithm of a method was guessed rather than given.
    pub fn is_guessed(&self, method: MethodIndex) -> bool {
        self.given[method.get()].is_none()
    }

    /// Returns the number of a parameter of the algorithm (`fanout` in `chain:fanout=4`): as given, otherwise from the method's name.
    pub fn parameter(&self, domain: &Domain, method: MethodIndex, key: &str) -> Option<u64> {
        let given = self.given[method.get()].as_deref().and_then(|given| parameter(given, key));
        given.or_else(|| parameter(&domain.method(method).name, key))
    }

    /// Returns the pairs as text for users to check: `binomial = binomial, linear = basic_linear`.
    pub fn describe(&self, domain: &Domain) -> String {
        let (mut pairs, mut unmatched) = (Vec::new(), Vec::new());
        for (method, algorithm) in domain.methods().iter().zip(&self.algorithms) {
            match algorithm {
                Some(algorithm) => pairs.push(format!("{} = {}", method.label(), algorithm.name)),
                None if method.baseline => {}
                None => unmatched.push(method.label()),
            }
        }
        match &unmatched[..] {
            [] => {}
            [one] => pairs.push(format!("nothing for {one}")),
            [one, two] => pairs.push(format!("nothing for {one} and {two}")),
            [one, two, rest @ ..] => pairs.push(format!("nothing for {one}, {two} and {} more", rest.len())),
        }
        pairs.join(", ")
    }
}

fn find_by_name_or_id(library: Library, collective: &str, text: &str) -> Option<&'static Algorithm> {
    library.find(collective, text).or_else(|| library.numbered(collective, text.parse().ok()?))
}

/// Guesses an algorithm from the whole name, from the part before a colon (`knomial:k=4`), or, for Open MPI, from what its
/// benchmarks use instead.
fn guess(library: Library, collective: &str, method: &Method) -> Option<&'static Algorithm> {
    let by_name = library.find(collective, &method.name);
    let by_start = || library.find(collective, method.name.split_once(':')?.0);
    // The library's own choice is not one of its algorithms, whatever its name.
    if method.baseline {
        return None;
    }
    let by_habit = || open_mpi::called(collective, method).filter(|_| library == Library::OpenMpi);
    by_name.or_else(by_start).or_else(by_habit)
}

/// The known parameters of algorithms in tuning files, written after a name as in `chain:fanout=4`.
const PARAMETERS: [&str; 2] = ["fanout", "reqs"];

/// Returns the number of a parameter after a name.
pub fn parameter(name: &str, key: &str) -> Option<u64> {
    let mut parts = name.split(':').filter_map(|part| part.split_once('='));
    parts.find(|(found, _)| *found == key)?.1.parse().ok()
}

/// Returns a text without the known parameters at its end.
pub fn without_parameters(text: &str) -> &str {
    let is_known = |part: &str| PARAMETERS.iter().any(|key| parameter(part, key).is_some());
    match text.rsplit_once(':') {
        Some((rest, last)) if is_known(last) => without_parameters(rest),
        _ => text,
    }
}
