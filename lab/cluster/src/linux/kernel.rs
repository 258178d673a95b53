//! The calls of the kernel that are not safe for every program, and why they are here.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::ioctl::{Setter, ioctl};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space};

/// The folder with the network namespaces, one file a node.
pub(crate) const NAMESPACES: &str = "/run/netns";

/// Moves this process into new namespaces.
#[allow(unsafe_code)]
pub(crate) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    debug_assert!(!flags.contains(UnshareFlags::FILES), "no descriptor that a value owns is lost");
    // SAFETY: without `FILES`, descriptors and memory stay as they are.
    unsafe { rustix::thread::unshare_unsafe(flags) }.map_err(io::Error::from)
}

/// Moves this thread into the network of a node.
pub(crate) fn enter_network(node: &str) -> io::Result<()> {
    let namespace = File::open(Path::new(NAMESPACES).join(node))?;
    let kind = Some(LinkNameSpaceType::Network);
    move_into_link_name_space(std::os::fd::AsFd::as_fd(&namespace), kind).map_err(io::Error::from)
}

/// The argument of TUNSETIFF, a `struct ifreq`.
#[repr(C)]
struct InterfaceRequest {
    name: [u8; 16],
    flags: u16,
    rest: [u8; 22],
}

/// `_IOW('T', 202, int)`.
const TUNSETIFF: rustix::ioctl::Opcode = 0x4004_54ca;

/// `IFF_TAP | IFF_NO_PI`: frames, without a header of the driver.
const FRAMES: u16 = 0x0002 | 0x1000;

/// Creates the interface `eth0` in the network of this thread. Its frames are read from and written to the file.
#[allow(unsafe_code)]
pub(crate) fn tap(port: u8) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open("/dev/net/tun", flags, Mode::empty())?);
    let mut request = InterfaceRequest { name: [0; 16], flags: FRAMES, rest: [0; 22] };
    request.name[..4].copy_from_slice(&[b'e', b't', b'h', b'0' + port]);
    // SAFETY: the driver reads and writes 40 bytes, as many as the request has, and nothing afterwards.
    unsafe { ioctl(&file, Setter::<TUNSETIFF, _>::new(request)) }?;
    Ok(file)
}
