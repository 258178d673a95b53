// A GOAL file in SimGrid's MPI: each rank posts its operations as soon as those that they wait for have begun or are complete.
// Prints the seconds from when all ranks begin to when the last one is done.
//
// The arguments are the file and the seconds of a unit of `calc`. The file is read here, by the grammar of LogGOPSim's txt2bin as
// far as qtdec writes it. As in bcast.cpp, each rank's link to the switch carries one message at a time.

#include <mpi.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace s4u = simgrid::s4u;

struct Operation {
  char verb;  // 's', 'r' or 'c'
  long bytes;
  int peer;
  int tag;
  int waits = 0;
  std::vector<size_t> after_begin;
  std::vector<size_t> after_end;
};

static std::vector<std::vector<Operation>> program;
static std::vector<char> buffer;
static s4u::BarrierPtr barrier;
static double finish = 0;

static bool ends(const std::string& name, const std::string& ending) {
  return name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

static bool statement(std::istringstream& words, const std::string& first, std::vector<Operation>& list,
                      std::map<std::string, size_t>& labels) {
  std::string word, other;
  if (first.back() != ':') {
    if (!(words >> word >> other) || labels.count(first) == 0 || labels.count(other) == 0) return false;
    const size_t later = labels[first];
    Operation& earlier = list[labels[other]];
    if (word != "requires" && word != "irequires") return false;
    (word == "requires" ? earlier.after_end : earlier.after_begin).push_back(later);
    list[later].waits++;
    return true;
  }
  Operation operation{};
  std::string size, direction, tag;
  if (!(words >> word >> size)) return false;
  operation.verb = word == "send" ? 's' : word == "recv" ? 'r' : 'c';
  operation.bytes = std::strtol(size.c_str(), nullptr, 10);
  if (operation.verb != 'c' && !(words >> direction >> operation.peer >> tag >> operation.tag)) return false;
  labels[first.substr(0, first.size() - 1)] = list.size();
  list.push_back(operation);
  return true;
}

static bool prepare(const char* path, int ranks) {
  std::ifstream file(path);
  std::map<std::string, size_t> labels;
  long longest = 1;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find("//")));
    std::string first;
    if (!(words >> first)) continue;
    if (first == "num_ranks") {
      int count;
      if (!(words >> count) || count != ranks) return false;
    } else if (first == "rank") {
      program.emplace_back();
      labels.clear();
    } else if (first != "}" && (program.empty() || !statement(words, first, program.back(), labels))) {
      return false;
    }
  }
  for (const auto& list : program)
    for (const Operation& operation : list) longest = std::max(longest, operation.bytes);
  buffer.resize(longest);
  barrier = s4u::Barrier::create(ranks);
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links())
    if (ends(link->get_name(), "_UP")) link->set_concurrency_limit(1);
  return program.size() == static_cast<size_t>(ranks);
}

static void play(std::vector<Operation>& list, double unit) {
  std::set<size_t> ready;
  std::vector<MPI_Request> requests;
  std::vector<size_t> running;
  auto release = [&](const std::vector<size_t>& waiting) {
    for (size_t later : waiting)
      if (--list[later].waits == 0) ready.insert(later);
  };
  for (size_t index = 0; index < list.size(); index++)
    if (list[index].waits == 0) ready.insert(index);
  while (!ready.empty() || !running.empty()) {
    if (ready.empty()) {
      int done;
      MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUS_IGNORE);
      const size_t index = running[done];
      requests.erase(requests.begin() + done);
      running.erase(running.begin() + done);
      release(list[index].after_end);
      continue;
    }
    const size_t index = *ready.begin();
    ready.erase(ready.begin());
    const Operation& operation = list[index];
    const int bytes = static_cast<int>(operation.bytes);
    if (operation.verb == 'c') {
      if (unit > 0) s4u::this_actor::sleep_for(unit * operation.bytes);
      release(operation.after_begin);
      release(operation.after_end);
      continue;
    }
    MPI_Request request;
    if (operation.verb == 's')
      MPI_Isend(buffer.data(), bytes, MPI_BYTE, operation.peer, operation.tag, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(buffer.data(), bytes, MPI_BYTE, operation.peer, operation.tag, MPI_COMM_WORLD, &request);
    requests.push_back(request);
    running.push_back(index);
    release(operation.after_begin);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0 && (argc != 3 || !prepare(argv[1], ranks))) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  barrier->wait();
  const double start = s4u::Engine::get_clock();
  play(program[rank], std::atof(argv[2]));
  finish = std::max(finish, s4u::Engine::get_clock() - start);
  barrier->wait();
  if (rank == 0) std::printf("%.12f\n", finish);
  MPI_Finalize();
  return 0;
}
