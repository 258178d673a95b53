//! What the catalogue knows of MPI's functions, for the readers.

use qtdec_mpi_library::catalogue::{FUNCTIONS, natural_basis};
use qtdec_study::vocabulary::Vocabulary;

/// The functions of MPI and what their message sizes count.
pub const MPI: Vocabulary = Vocabulary { functions: &FUNCTIONS, natural_basis };
