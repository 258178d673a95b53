//! The axes and methods of a loaded function.

use core::str;

use crate::bytes::{Bytes, Read, read};
use crate::{Error, MAGIC, checksum};

/// The axes and methods of a loaded function.
///
/// ```
/// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
/// let names = table.names();
/// assert_eq!((names.axes().count(), names.methods().count()), (2, 5));
/// # Ok::<(), qtdec_lookup::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Names<'b> {
    axes: Bytes<'b>,
    axes_count: u8,
    methods: Bytes<'b>,
    methods_count: u16,
}

/// A method that a loaded function can choose.
///
/// ```
/// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
/// let method = table.names().methods().nth(1).unwrap();
/// assert_eq!((method.id, method.label), (6, "binomial"));
/// # Ok::<(), qtdec_lookup::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method<'b> {
    /// The id, which identifies the method in tuning files.
    pub id: u64,
    /// The label, as in `pipeline/8192`.
    pub label: &'b str,
}

impl<'b> Names<'b> {
    /// Reads the data before the axes and entries of a table.
    pub(crate) const fn load(bytes: &'b [u8], axes: usize) -> Read<'b, Self> {
        let (magic, bytes) = read!(Bytes(bytes).array::<8>());
        let mut position = 0;
        while position < MAGIC.len() - 1 {
            if magic[position] != MAGIC[position] {
                return Err(Error::NotThisForm);
            }
            position += 1;
        }
        if magic[6] != MAGIC[6] {
            return Err(Error::Version(magic[6]));
        }
        if magic[7] != b'T' {
            return Err(Error::NotThisForm);
        }
        let (written, bytes) = read!(bytes.u64());
        if checksum(bytes.0) != written {
            return Err(Error::Checksum);
        }
        let (axes_count, axes_bytes) = read!(bytes.u8());
        if axes_count as usize != axes {
            return Err(Error::Axes(axes_count));
        }
        let mut bytes = axes_bytes;
        let mut axis = 0;
        while axis < axes_count {
            (_, bytes) = read!(name(bytes));
            axis += 1;
        }
        let (methods_count, methods_bytes) = read!(bytes.u16());
        let mut bytes = methods_bytes;
        let mut method = 0;
        while method < methods_count {
            (_, bytes) = read!(a_method(bytes));
            method += 1;
        }
        Ok((Self { axes: axes_bytes, axes_count, methods: methods_bytes, methods_count }, bytes))
    }

    /// Returns the names of the axes, in the order in which sizes are given.
    ///
    /// ```
    /// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
    /// assert!(table.names().axes().eq(["comm_size", "msg_size"]));
    /// # Ok::<(), qtdec_lookup::Error>(())
    /// ```
    pub fn axes(&self) -> impl Iterator<Item = &'b str> + use<'b> {
        let mut bytes = self.axes;
        (0..self.axes_count).map_while(move |_| {
            let (name, rest) = name(bytes).ok()?;
            bytes = rest;
            Some(name)
        })
    }

    /// Returns the methods, in the order of their indexes.
    ///
    /// ```
    /// let table = qtdec_lookup::Table::<2>::load(include_bytes!("../examples/bcast.qtl"))?;
    /// let labels = table.names().methods().map(|method| method.label);
    /// assert!(labels.eq(["linear", "binomial", "pipeline/8192", "pipeline/131072", "split_binary_tree/1000"]));
    /// # Ok::<(), qtdec_lookup::Error>(())
    /// ```
    pub fn methods(&self) -> impl Iterator<Item = Method<'b>> + use<'b> {
        let mut bytes = self.methods;
        (0..self.methods_count).map_while(move |_| {
            let (method, rest) = a_method(bytes).ok()?;
            bytes = rest;
            Some(method)
        })
    }

    /// Returns whether a method has this index.
    pub(crate) const fn knows(&self, method: u16) -> bool {
        method < self.methods_count
    }
}

const fn a_method(bytes: Bytes<'_>) -> Read<'_, Method<'_>> {
    let (id, bytes) = read!(bytes.u64());
    let (label, bytes) = read!(name(bytes));
    Ok((Method { id, label }, bytes))
}

const fn name(bytes: Bytes<'_>) -> Read<'_, &str> {
    let (length, bytes) = read!(bytes.u16());
    let (name, bytes) = read!(bytes.slice(length as usize));
    match str::from_utf8(name) {
        Ok(name) => Ok((name, bytes)),
        Err(_) => Err(Error::Invalid),
    }
}
