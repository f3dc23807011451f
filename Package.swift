// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sluice",
  platforms: [.macOS(.v14)],
  products: [
    .library(name: "Sluice", targets: ["Sluice"]),
    .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
    .executable(name: "sluice", targets: ["SluiceCLI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The trait for Foundation is turned off, since the library does not import Foundation.
    .package(
      url: "https://github.com/swiftlang/swift-subprocess",
      from: "1.0.2",
      traits: []
    ),
    // A dependency of swift-subprocess, which uses its types in its API.
    .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // C libraries of the system. Only Sluice/Support imports them.
    .systemLibrary(
      name: "CLibcurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
    ),
    .systemLibrary(
      name: "CLibyaml",
      pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    .systemLibrary(
      name: "CPCRE2",
      pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]
    ),
    // On macOS, this library is part of the SDK.
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    // The settings of the GNU C library's allocator.
    .systemLibrary(name: "CMalloc"),

    // The modules of the library. Each uses only modules above it in this list. Imports the C
    // library of each system under one name.
    .target(name: "SluiceSystem"),
    // Statistics, as pure functions of numbers.
    .target(name: "SluiceStatistics", dependencies: ["SluiceSystem"]),
    // General code without any evaluation: JSON, YAML, files, git, HTTP, processes.
    .target(
      name: "SluiceSupport",
      dependencies: [
        "CLibcurl",
        "CLibyaml",
        "CPCRE2",
        "CZlib",
        "SluiceSystem",
        .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(
          name: "SystemPackage",
          package: "swift-system",
          condition: .when(platforms: [.linux])
        ),
      ]
    ),
    // Everything from suite files to judged trials and their metrics.
    .target(
      name: "SluiceCore",
      dependencies: ["CRefusalPatterns", "SluiceStatistics", "SluiceSupport", "SluiceSystem"]
    ),
    // Conditions, the rules that decide them, and their results.
    .target(name: "SluiceGating", dependencies: ["SluiceCore"]),
    // Reports: for the terminal, as HTML and Markdown, and as files for programs.
    .target(name: "SluiceReporting", dependencies: ["CReportPage", "SluiceGating"]),
    // The library product, which combines and exports all modules above.
    .target(name: "Sluice", dependencies: ["SluiceReporting"]),
    // The patterns by which Sluice recognizes refusals.
    .target(name: "CRefusalPatterns", exclude: ["Files"]),
    // The styles and scripts of the HTML reports.
    .target(name: "CReportPage", exclude: ["Files"]),
    // The files that `sluice init` writes.
    .target(name: "CProjectTemplate", exclude: ["Files"]),
    .executableTarget(
      name: "SluiceCLI",
      dependencies: [
        "Sluice",
        "SluiceSystem",
        "CMalloc",
        "CProjectTemplate",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .target(name: "SluiceTesting", dependencies: ["Sluice", "SluiceSystem"]),

    // The stand-in model, a server for tests and the demo. It is not part of a product.
    .target(
      name: "StandInModel",
      dependencies: ["SluiceSupport", .product(name: "FlyingFox", package: "FlyingFox")],
      path: "Tests/StandInModel"
    ),
    .executableTarget(
      name: "StandInModelServer",
      dependencies: ["StandInModel"],
      path: "Tests/StandInModelServer"
    ),

    // Measurements of the gates; see Benchmarks/README.md. They are not part of a product.
    .executableTarget(
      name: "OperatingCharacteristics",
      dependencies: ["Sluice", "StandInModel"],
      path: "Benchmarks/OperatingCharacteristics"
    ),
    // Creates projects with synthetic cases, to measure `sluice run`.
    .executableTarget(
      name: "RecordedAnswers",
      dependencies: ["Sluice"],
      path: "Benchmarks/RecordedAnswers"
    ),
    // Creates suites of real texts with a simple classifier's answers, to compare metrics with
    // scikit-learn's.
    .executableTarget(
      name: "LabelledTexts",
      dependencies: ["Sluice"],
      path: "Benchmarks/LabelledTexts"
    ),
    // Measures the requests of a live run against a local server.
    .executableTarget(
      name: "LiveRequests",
      dependencies: ["Sluice"],
      path: "Benchmarks/LiveRequests"
    ),

    // Tests. The parts of the C library's API for starting programs that Swift does not import.
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    // Clocks, processes and test vectors.
    .target(
      name: "TestSupport",
      dependencies: ["CSpawn", "SluiceStatistics", "SluiceSupport", "SluiceSystem"],
      path: "Tests/TestSupport",
      exclude: ["Fixtures"]
    ),
    // Projects and results for the tests of several modules.
    .target(
      name: "SampleProjects",
      dependencies: ["Sluice", "SluiceSystem", "TestSupport"],
      path: "Tests/SampleProjects"
    ),
    .testTarget(
      name: "SluiceStatisticsTests",
      dependencies: ["SluiceStatistics", "SluiceSupport", "TestSupport"]
    ),
    .testTarget(
      name: "SluiceSupportTests",
      dependencies: ["SluiceStatistics", "SluiceSupport", "TestSupport"]
    ),
    .testTarget(
      name: "SluiceCoreTests",
      dependencies: ["Sluice", "SampleProjects", "TestSupport"],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "SluiceGatingTests",
      dependencies: ["Sluice", "SampleProjects", "TestSupport"]
    ),
    .testTarget(
      name: "SluiceReportingTests",
      dependencies: ["Sluice", "SampleProjects", "TestSupport"],
      exclude: ["Browser/Program", "Fixtures"]
    ),
    .testTarget(
      name: "SluiceTests",
      dependencies: ["Sluice", "SampleProjects", "TestSupport"]
    ),
    .testTarget(name: "StandInModelTests", dependencies: ["StandInModel"]),
    .testTarget(
      name: "SluiceCLITests",
      dependencies: ["SluiceCLI", "Sluice", "SampleProjects", "StandInModel", "TestSupport"],
      exclude: ["Fixtures"]
    ),
    .testTarget(
      name: "SluiceTestingTests",
      dependencies: ["SluiceTesting", "SampleProjects", "StandInModel", "TestSupport"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// Tests send thousands of requests to the stand-in. Without optimization, its answers take 5% of
// the time of the tests. SwiftPM refuses dependencies with unsafe flags, but no product contains
// this target.
for target in package.targets where target.name == "StandInModel" {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

// `make test-room ROOM=Gating` builds and runs only the tests of one module.
if let room = Context.environment["SLUICE_ROOM"], !room.isEmpty {
  var needed: Set<String> = []
  var names = ["Sluice\(room)Tests", "\(room)Tests"]
  while let name = names.popLast() {
    guard let target = package.targets.first(where: { $0.name == name }),
      needed.insert(name).inserted
    else { continue }
    names += target.dependencies.compactMap { dependency in
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): name
      default: nil
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  // The tests of the command line need the executable, which they start by its name.
  package.products =
    needed.contains("SluiceCLI") ? [.executable(name: "sluice", targets: ["SluiceCLI"])] : []
}
