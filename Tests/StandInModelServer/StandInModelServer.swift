import Foundation
import StandInModel

/// The program that serves the stand-in model on the loopback interface until it is stopped.
@main
struct StandInModelServer {
  static func main() async {
    let options: Options
    switch Options.parse(CommandLine.arguments.dropFirst()) {
    case .success(let parsed): options = parsed
    case .failure(let error): fail(error.message + "\n" + Options.usage, status: 64)
    }
    if options.showsHelp {
      print(Options.usage)
      return
    }
    for number in [SIGINT, SIGTERM] { signal(number, endOnSignal) }
    do {
      let server = try StandInServer(
        port: options.port,
        delay: options.delay,
        model: StandInModel(
          noise: options.share > 0 ? Noise(seed: options.seed, share: options.share) : nil
        )
      )
      try await server.start()
      print("listening on \(await server.baseURL ?? "")")
      fflush(nil)
      await server.waitUntilStopped()
    } catch {
      fail("cannot listen on port \(options.port): \(error)", status: 1)
    }
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("stand-in-model: \(message)\n".utf8))
    exit(status)
  }
}

/// Ends the program from inside a signal handler, where only a few calls such as `_exit` are safe.
private func endOnSignal(_ number: Int32) { _exit(0) }

private struct Options {
  static let usage =
    "usage: stand-in-model [--port N] [--delay MILLISECONDS] [--noise SHARE] [--seed N]"

  struct Invalid: Error {
    var message: String
  }

  var port: UInt16 = 0
  var delay: Duration = .zero
  var share = 0.0
  var seed: UInt64 = 1
  var showsHelp = false

  static func parse(_ arguments: some Sequence<String>) -> Result<Options, Invalid> {
    var options = Options()
    var iterator = arguments.makeIterator()
    while let argument = iterator.next() {
      switch argument {
      case "--port":
        guard let port = iterator.next().flatMap({ UInt16($0) }) else {
          return .failure(Invalid(message: "--port needs a number from 0 to 65535"))
        }
        options.port = port
      case "--delay":
        guard let delay = iterator.next().flatMap({ Int($0) }), (0...600_000).contains(delay) else {
          return .failure(Invalid(message: "--delay needs a number from 0 to 600000"))
        }
        options.delay = .milliseconds(delay)
      case "--noise":
        guard let share = iterator.next().flatMap({ Double($0) }), (0...1).contains(share) else {
          return .failure(Invalid(message: "--noise needs a number from 0 to 1"))
        }
        options.share = share
      case "--seed":
        guard let seed = iterator.next().flatMap({ UInt64($0) }) else {
          return .failure(Invalid(message: "--seed needs a whole number of 0 or more"))
        }
        options.seed = seed
      case "--help", "-h": options.showsHelp = true
      default: return .failure(Invalid(message: "unknown argument '\(argument)'"))
      }
    }
    return .success(options)
  }
}
