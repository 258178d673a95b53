//! Matching of a map's methods to a library's algorithms.

use qtdec_core::{Domain, Method, MethodIndex};

use super::{Algorithm, Library};

/// The library's algorithm for each method of a domain, if there is one.
#[derive(Clone, Debug)]
pub struct Matching {
    algorithms: Vec<Option<&'static Algorithm>>,
    guessed: Vec<bool>,
}

/// The error of a user's pair that names an unknown method or algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotMatched(pub String);

impl NotMatched {
    /// Returns the error of an unknown method.
    pub fn method(domain: &Domain, name: &str) -> Self {
        let known: Vec<String> = domain.methods().iter().map(Method::label).collect();
        Self(format!("there is no method `{name}`: there are {}", known.join(", ")))
    }
}

impl Matching {
    /// Matches the methods to the algorithms of `collective`: as given in `given`, otherwise by name, otherwise, for Open MPI,
    /// by `id`. `given` holds pairs of a method (its name, or its label with segment size) and an algorithm.
    ///
    /// # Errors
    ///
    /// Fails if the method or algorithm of a pair does not exist.
    pub fn new(
        domain: &Domain,
        library: Library,
        collective: &str,
        given: &[(String, String)],
    ) -> Result<Self, NotMatched> {
        let named = |method: &Method, name: &str| method.name == name || method.label() == name;
        let mut told = Vec::new();
        for (name, algorithm) in given {
            if !domain.methods().iter().any(|method| named(method, name)) {
                let known: Vec<String> = domain.methods().iter().map(Method::label).collect();
                return Err(NotMatched(format!(
                    "there is no method `{name}`: there are {}",
                    known.join(", ")
                )));
            }
            let found = find_by_name_or_id(library, collective, algorithm).ok_or_else(|| {
                let known: Vec<&str> =
                    library.algorithms(collective).iter().map(|known| known.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                NotMatched(format!(
                    "{} has no algorithm `{algorithm}` for {collective}: there are {known}",
                    library.name()
                ))
            })?;
            told.push((name, found));
        }
        let algorithm = |method: &Method| match told.iter().find(|(name, _)| named(method, name)) {
            Some((_, found)) => (Some(*found), false),
            None => (guess(library, collective, method), true),
        };
        let (algorithms, guessed) = domain.methods().iter().map(algorithm).unzip();
        Ok(Self { algorithms, guessed })
    }

    /// Returns the algorithm of a method.
    pub fn get(&self, method: MethodIndex) -> Option<&'static Algorithm> {
        self.algorithms[method.get()]
    }

    /// Returns whether the algorithm of a method was guessed rather than given.
    pub fn is_guessed(&self, method: MethodIndex) -> bool {
        self.guessed[method.get()]
    }

    /// Returns the pairs as text for users to check: `binomial = binomial, linear = basic_linear`.
    pub fn describe(&self, domain: &Domain) -> String {
        let pair = |method: MethodIndex| {
            Some(format!("{} = {}", domain.method(method).label(), self.get(method)?.name))
        };
        let mut pairs: Vec<String> = domain.method_indexes().filter_map(pair).collect();
        let unmatched =
            |method: &MethodIndex| self.get(*method).is_none() && !domain.method(*method).baseline;
        let unmatched: Vec<String> =
            domain.method_indexes().filter(unmatched).map(|method| domain.method(method).label()).collect();
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

/// Guesses an algorithm from the whole name, from the part before a colon (`knomial:k=4`), or from the number.
fn guess(library: Library, collective: &str, method: &Method) -> Option<&'static Algorithm> {
    let by_name = library.find(collective, &method.name);
    let by_start = || library.find(collective, method.name.split_once(':')?.0);
    let by_id = || Library::OpenMpi.numbered(collective, method.id?);
    // The library's own choice is not one of its algorithms, whatever its name.
    if method.baseline {
        return None;
    }
    by_name.or_else(by_start).or_else(|| by_id().filter(|_| library == Library::OpenMpi))
}
