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
    // Without its trait for Foundation, which the library does not import.
    .package(
      url: "https://github.com/swiftlang/swift-subprocess",
      from: "1.0.2",
      traits: []
    ),
    // Comes with swift-subprocess, whose interface speaks of its types.
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
    // Part of the SDK on macOS.
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    // The settings of the GNU C library's allocator.
    .systemLibrary(name: "CMalloc"),

    // The rooms of the library, from the ground up: each uses only rooms above it in this list.
    // The C library of the system, under one name.
    .target(name: "SluiceSystem"),
    // Pure functions of numbers.
    .target(name: "SluiceStatistics", dependencies: ["SluiceSystem"]),
    // Code that knows nothing of evaluation: JSON, YAML, files, git, HTTP, processes.
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
    // From suite files to judged trials and their metrics.
    .target(
      name: "SluiceCore",
      dependencies: ["CRefusalPatterns", "SluiceStatistics", "SluiceSupport", "SluiceSystem"]
    ),
    // Conditions, the rules that decide them, and their results.
    .target(name: "SluiceGating", dependencies: ["SluiceCore"]),
    // Terminal, pages, Markdown and files for machines.
    .target(name: "SluiceReporting", dependencies: ["CReportPage", "SluiceGating"]),
    // The product: puts the rooms together and exports them all.
    .target(name: "Sluice", dependencies: ["SluiceReporting"]),
    // The patterns by which answers are recognized as refusals.
    .target(name: "CRefusalPatterns", exclude: ["Files"]),
    // The style and the program of the HTML report.
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

    // The stand-in model: a server for tests and the demo, never part of the product.
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

    // What the gates do, measured; see Benchmarks/README.md. Never part of the product.
    .executableTarget(
      name: "OperatingCharacteristics",
      dependencies: ["Sluice", "StandInModel"],
      path: "Benchmarks/OperatingCharacteristics"
    ),
    // A project of synthetic cases to measure `sluice run` on.
    .executableTarget(
      name: "RecordedAnswers",
      dependencies: ["Sluice"],
      path: "Benchmarks/RecordedAnswers"
    ),
    // Real texts with answers of a simple classifier, to compare metrics with scikit-learn's.
    .executableTarget(
      name: "LabelledTexts",
      dependencies: ["Sluice"],
      path: "Benchmarks/LabelledTexts"
    ),
    // A live run against a server on loopback, to measure its requests.
    .executableTarget(
      name: "LiveRequests",
      dependencies: ["Sluice"],
      path: "Benchmarks/LiveRequests"
    ),

    // Tests.
    // What Swift does not see of the C library's way to start programs.
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    // Clocks, processes and vectors for tests.
    .target(
      name: "TestSupport",
      dependencies: ["CSpawn", "SluiceStatistics", "SluiceSupport", "SluiceSystem"],
      path: "Tests/TestSupport",
      exclude: ["Fixtures"]
    ),
    // Projects and results for tests of several rooms.
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

// Tests ask the stand-in thousands of times; without optimization that takes a twentieth of their
// time. No product holds it, so the flag keeps nobody from depending on this package.
for target in package.targets where target.name == "StandInModel" {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

// `make test-room ROOM=Gating` builds and runs the tests of one room, and nothing beside it.
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
  // The tests of the command line start the program by its name.
  package.products =
    needed.contains("SluiceCLI") ? [.executable(name: "sluice", targets: ["SluiceCLI"])] : []
}
