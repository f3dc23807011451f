import Foundation
import Sluice

/// The program that runs the first suite of a project live, and prints the time that its requests
/// took; see Benchmarks/README.md.
///
/// The argument is the project's folder. The output has the seconds from the first request to the
/// last judged answer, and the CPU seconds in that time. The numbers of answers and of lost trials
/// follow.
@main
struct Program {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    guard arguments.count == 1, let files = DiskFileSystem(root: arguments[0]) else {
      say("usage: LiveRequests FOLDER")
      exit(2)
    }
    let loaded = ProjectLoader.load(from: files)
    guard !loaded.hasErrors, let suite = loaded.suites.first else {
      say(loaded.diagnostics.prefix(3).map(\.description).joined())
      exit(2)
    }
    let surroundings = Surroundings(files: files)
    let client = CurlHTTPClient()
    var backends: [String: any Backend] = [:]
    do {
      for definition in suite.plan.backends {
        backends[definition.name] = try definition.connect(client, surroundings: surroundings)
      }
    } catch {
      say("\(error)")
      exit(2)
    }
    // Run outside of the main actor, on which all tasks would wait for each other.
    await Task.detached { [backends] in
      let ends = Locked((clock: ContinuousClock.now, cpu: 0.0))
      let (start, cpu) = (ContinuousClock.now, usedCPU())
      let outcome = await Evaluation(suite, surroundings: surroundings).live(backends) { event in
        guard case .finished(_, let done, let total) = event, done == total else { return }
        ends.withLock { $0 = (.now, usedCPU()) }
      }
      let end = ends.withLock { $0 }
      let trials = outcome.result.columns.flatMap(\.trials)
      let lost = trials.count { $0.isLost }
      print(
        start.duration(to: end.clock).milliseconds / 1_000,
        end.cpu - cpu,
        trials.count - lost,
        lost
      )
    }
    .value
  }

  /// Returns the CPU seconds that the process has used.
  private static func usedCPU() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
