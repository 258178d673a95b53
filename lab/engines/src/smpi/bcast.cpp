// Broadcasts of SimGrid's own MPI. Reads lines "comm_size msg_size" of a file, and prints the seconds of each: from when all
// ranks begin to when the last one is done.
//
// The ranks are coroutines of one process, so that what is static is theirs in common. Each rank's link to the switch carries
// one message at a time, the others wait: messages of one sender leave in turn.

#include <mpi.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

struct Call {
  int ranks;
  int bytes;
};

static std::vector<Call> calls;
static std::vector<double> times;
static std::vector<char> buffer;
static s4u::BarrierPtr barrier;

static bool ends(const std::string& name, const std::string& ending) {
  return name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

static bool prepare(const char* path, int ranks) {
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return false;
  int longest = 0;
  for (Call call; std::fscanf(file, "%d %d", &call.ranks, &call.bytes) == 2;) {
    calls.push_back(call);
    longest = std::max(longest, call.bytes);
  }
  std::fclose(file);
  times.assign(calls.size(), 0.0);
  buffer.resize(longest);
  barrier = s4u::Barrier::create(ranks);
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links())
    if (ends(link->get_name(), "_UP")) link->set_concurrency_limit(1);
  return true;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0 && (argc != 2 || !prepare(argv[1], ranks))) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  std::map<int, MPI_Comm> communicators;
  for (const Call& call : calls)
    if (communicators.count(call.ranks) == 0)
      MPI_Comm_split(MPI_COMM_WORLD, rank < call.ranks ? 0 : MPI_UNDEFINED, rank, &communicators[call.ranks]);
  for (size_t call = 0; call < calls.size(); call++) {
    // The barrier takes no time: all ranks begin at the same date.
    barrier->wait();
    if (rank >= calls[call].ranks) continue;
    const double start = s4u::Engine::get_clock();
    MPI_Bcast(buffer.data(), calls[call].bytes, MPI_BYTE, 0, communicators[calls[call].ranks]);
    times[call] = std::max(times[call], s4u::Engine::get_clock() - start);
  }
  barrier->wait();
  if (rank == 0)
    for (double time : times) std::printf("%.12f\n", time);
  MPI_Finalize();
  return 0;
}
