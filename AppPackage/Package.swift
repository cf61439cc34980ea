// swift-tools-version: 6.2
import PackageDescription

// The app libraries of apns-toolkit as a package of their own, from the same sources, for apps that run on macOS before 15:
// a package has one floor for each platform, and the sender and the gateway have higher ones. tools/check-app builds it,
// tools/check-availability looks for anything newer than what is written here.

/// As in the package's own manifest.
let warnings: [SwiftSetting] = Context.environment["APNS_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warnings

let sqlite = TargetDependencyCondition.when(traits: ["SQLite"])

let package = Package(
    name: "AppPackage",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "PushDispatch", targets: ["PushDispatch"]),
        .library(name: "PushDispatchTesting", targets: ["PushDispatchTesting", "PushDispatch"]),
        .library(name: "SelectiveSync", targets: ["SelectiveSync", "PushDispatch"]),
        .library(name: "SelectiveSyncSQLite", targets: ["SelectiveSyncSQLite", "SelectiveSync", "PushDispatch"]),
        .library(name: "EventDelivery", targets: ["EventDelivery", "PushDispatch"]),
        .library(name: "EventDeliverySQLite", targets: ["EventDeliverySQLite", "EventDelivery", "PushDispatch"]),
        .library(name: "Personalization", targets: ["Personalization", "EventDelivery", "PushDispatch"]),
        .library(name: "Optimization", targets: ["Optimization", "EventDelivery", "PushDispatch"]),
    ],
    traits: [
        .trait(name: "SQLite", description: "The stores of SelectiveSync and EventDelivery on SQLite."),
        .default(enabledTraits: ["SQLite"]),
    ],
    dependencies: [.package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0")],
    targets: [
        .target(name: "PushDispatch", path: "Sources/App/PushDispatch", swiftSettings: settings),
        .target(
            name: "SelectiveSync", dependencies: ["PushDispatch"], path: "Sources/App/SelectiveSync",
            swiftSettings: settings),
        .target(
            name: "PushDispatchTesting", dependencies: ["PushDispatch"], path: "Sources/App/PushDispatchTesting",
            swiftSettings: settings),
        .target(name: "DatabaseFiles", path: "Sources/App/DatabaseFiles", swiftSettings: settings),
        .target(
            name: "SelectiveSyncSQLite",
            dependencies: [
                "DatabaseFiles", "PushDispatch", "SelectiveSync",
                .product(name: "GRDB", package: "GRDB.swift", condition: sqlite),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: sqlite),
            ], path: "Sources/App/SelectiveSyncSQLite", swiftSettings: settings),
        .target(
            name: "EventDelivery", dependencies: ["PushDispatch"], path: "Sources/App/EventDelivery",
            swiftSettings: settings),
        .target(
            name: "EventDeliverySQLite",
            dependencies: [
                "DatabaseFiles", "EventDelivery", .product(name: "GRDB", package: "GRDB.swift", condition: sqlite),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: sqlite),
            ], path: "Sources/App/EventDeliverySQLite", swiftSettings: settings),
        .target(
            name: "Personalization", dependencies: ["EventDelivery", "PushDispatch"],
            path: "Sources/App/Personalization",
            swiftSettings: settings),
        .target(
            name: "Optimization", dependencies: ["EventDelivery", "PushDispatch"], path: "Sources/App/Optimization",
            swiftSettings: settings),
    ]
)
