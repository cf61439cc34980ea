// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The trait that everything with a dependency outside this package hangs on. An app that takes only the app libraries
/// writes `traits: []` and fetches nothing (`tools/check-app` proves it).
let server = TargetDependencyCondition.when(traits: ["Server"])

/// The trait of the store on SQLite: an app that wants it writes `traits: ["SQLite"]` and fetches GRDB alone. The command
/// has it too.
let sqlite = TargetDependencyCondition.when(traits: ["SQLite", "Server"])

extension Target.Dependency {
    static let nioCore = product(name: "NIOCore", package: "swift-nio", condition: server)
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio", condition: server)
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio", condition: server)
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio", condition: server)
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird", condition: server)
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird", condition: server)
    static let argumentParser = product(
        name: "ArgumentParser", package: "swift-argument-parser", condition: server)
    static let logging = product(name: "Logging", package: "swift-log", condition: server)
    static let deque = product(name: "DequeModule", package: "swift-collections", condition: server)
    static let histogram = product(name: "Histogram", package: "hdrhistogram-swift", condition: server)
    static let syncGRDB = product(name: "GRDB", package: "GRDB.swift", condition: sqlite)
    static let syncSQLite = product(name: "GRDBSQLite", package: "GRDB.swift", condition: sqlite)
    static let yams = product(name: "Yams", package: "Yams", condition: server)
    static let grdb = product(name: "GRDB", package: "GRDB.swift", condition: server)
}

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.init(stringLiteral: name)] + dependencies, swiftSettings: settings)
}

let package = Package(
    name: "apns-toolkit",
    platforms: [.macOS(.v15), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .executable(name: "apns", targets: ["apns"]),
        .library(name: "APNSPayload", targets: ["APNSPayload", "APNSModel"]),
        .library(name: "APNSProvider", targets: ["APNSProvider", "APNSPayload", "APNSModel", "ProviderToken"]),
        .library(name: "GatewayTesting", targets: ["GatewayTesting"]),
        .library(name: "PushDispatch", targets: ["PushDispatch"]),
        .library(name: "PushDispatchTesting", targets: ["PushDispatchTesting", "PushDispatch"]),
        .library(name: "SelectiveSync", targets: ["SelectiveSync", "PushDispatch"]),
        .library(name: "SelectiveSyncSQLite", targets: ["SelectiveSyncSQLite", "SelectiveSync", "PushDispatch"]),
    ],
    traits: [
        .trait(name: "Server", description: "The sender, the gateway simulator and the command."),
        .trait(name: "SQLite", description: "The store of SelectiveSync on SQLite."),
        .default(enabledTraits: ["Server", "SQLite"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift.git", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // System libraries.
        .systemLibrary(
            name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

        // Leaves: no I/O, no dependency outside this package.
        module("APNSModel"),
        module("PayloadJSON"),
        module("APNSPayload", ["APNSModel", "PayloadJSON"]),
        module("HTTP2Session", ["APNSModel", "CNghttp2"]),
        module("TLSSession", ["COpenSSL"]),
        module("ProviderToken", ["APNSModel", "COpenSSL"]),

        // The app libraries: nothing that an app would have to fetch.
        module("PushDispatch"),
        module("SelectiveSync", ["PushDispatch"]),
        // A phone for the tests of an app.
        module("PushDispatchTesting", ["PushDispatch"]),
        module("SelectiveSyncSQLite", ["PushDispatch", "SelectiveSync", .syncGRDB, .syncSQLite]),

        // Notices that the CRM encrypts for a device, on OpenSSL.
        module("NoticeEncryption", ["COpenSSL", "PushDispatch"]),

        // Sender and gateway.
        module("APNSTransport", ["APNSModel", "HTTP2Session", "TLSSession", .nioCore, .nioPosix]),
        module(
            "APNSProvider",
            [
                "APNSModel", "APNSPayload", "APNSTransport", "HTTP2Session", "PayloadJSON", "ProviderToken",
                "TLSSession",
                .deque, .nioCore, .nioPosix, .logging,
            ]),
        // YAML configurations, read with places and hints.
        module("ConfigurationText", ["APNSPayload", .yams]),
        module("GatewayCore", ["APNSModel", "APNSPayload", "PayloadJSON", "ProviderToken"]),
        // What a gateway keeps over its end: a world in a SQLite file.
        module("GatewayStore", ["APNSModel", "GatewayCore", .grdb]),
        module(
            "GatewayServer",
            [
                "APNSModel", "APNSPayload", "APNSTransport", "ConfigurationText", "GatewayCore", "GatewayStore",
                "HTTP2Session", "PayloadJSON", "ProviderToken", "TLSSession", .hummingbird, .hummingbirdCore, .nioCore,
                .nioHTTP1, .nioPosix, .logging, .yams,
            ],
            exclude: ["Page/Files"]),
        module(
            "GatewayTesting",
            ["APNSModel", "APNSPayload", "APNSProvider", "GatewayCore", "GatewayServer", "ProviderToken"]),
        module(
            "OrgSimulator",
            [
                "APNSModel", "ConfigurationText", "NoticeEncryption", "PushDispatch", "SelectiveSync", .hummingbird,
                .hummingbirdCore, .nioCore, .nioHTTP1, .nioPosix, .logging, .yams,
            ]),
        module(
            "DeviceSimulator",
            ["APNSModel", "PayloadJSON", "PushDispatch", "SelectiveSync", .nioCore, .nioPosix, .nioHTTP1]),
        // The whole product on virtual time, from one seed.
        module(
            "Simulation",
            [
                "APNSModel", "APNSProvider", "GatewayCore", "OrgSimulator", "ProviderToken", "PushDispatch",
                "SelectiveSync",
            ]),
        module("LoadGenerator", ["APNSModel", "PayloadJSON", .histogram]),

        // The validator as a tool: configuration, suppression, baseline, fixes.
        module("PayloadLint", ["APNSModel", "APNSPayload", "ConfigurationText", "PayloadJSON", .yams]),

        // The command.
        .executableTarget(
            name: "apns",
            dependencies: [
                "APNSModel", "APNSPayload", "APNSProvider", "ConfigurationText", "DeviceSimulator", "GatewayCore",
                "GatewayServer", "LoadGenerator", "OrgSimulator", "PayloadJSON", "PayloadLint", "ProviderToken",
                "PushDispatch",
                "SelectiveSync", "SelectiveSyncSQLite", "Simulation",
                .argumentParser, .logging,
            ],
            swiftSettings: settings),

        // What senders are measured against: answers, and does nothing else. No product; tools/bench builds it.
        .executableTarget(
            name: "apns-bare-server",
            dependencies: [
                "APNSTransport", "GatewayServer", "HTTP2Session", "TLSSession", .argumentParser, .nioCore, .nioPosix,
            ],
            path: "Sources/BareServer", swiftSettings: settings),

        // The app libraries' own work, measured. No product; tools/bench/sync builds it.
        .executableTarget(
            name: "apns-sync-bench", dependencies: ["PushDispatch", "SelectiveSync", "SelectiveSyncSQLite", .syncGRDB],
            path: "Sources/SyncBench", swiftSettings: settings),

        // Seeds of the simulation, nothing else linked in. No product; tools/check-mutations builds it.
        .executableTarget(
            name: "apns-seeds", dependencies: ["Simulation"], path: "Sources/Seeds", swiftSettings: settings),

        // Tests mirror the modules.
        tests("APNSModel"),
        tests("PayloadJSON"),
        tests("APNSPayload", ["APNSModel", "PayloadJSON"]),
        tests("HTTP2Session", ["APNSModel"]),
        tests("TLSSession", ["COpenSSL"]),
        tests("ProviderToken", ["APNSModel", "COpenSSL"]),
        tests("PushDispatch"),
        tests("PushDispatchTesting", ["PushDispatch", "SelectiveSync"]),
        tests("SelectiveSync", ["PushDispatch"]),
        tests("SelectiveSyncSQLite", ["PushDispatch", "SelectiveSync", "sqlite-crash-writer", .syncGRDB]),
        // Writes until it is killed; the tests of the store start it.
        .executableTarget(
            name: "sqlite-crash-writer",
            dependencies: ["FaultyDisk", "PushDispatch", "SelectiveSync", "SelectiveSyncSQLite"],
            path: "Tests/SQLiteCrashWriter", swiftSettings: settings),
        .target(name: "FaultyDisk", path: "Tests/FaultyDisk"),
        tests("NoticeEncryption", ["PushDispatch"]),
        tests("OrgSimulator", ["APNSModel", "ConfigurationText", "NoticeEncryption", "PushDispatch", "SelectiveSync"]),
        tests("DeviceSimulator", ["APNSModel"]),
        tests("GatewayCore", ["APNSModel", "APNSPayload", "PayloadJSON", "ProviderToken"]),
        tests("GatewayStore", ["APNSModel", "GatewayCore", "ProviderToken", .grdb]),
        tests("APNSTransport", ["APNSModel", "HTTP2Session", "TLSSession", .nioCore, .nioPosix]),
        tests(
            "APNSProvider",
            [
                "APNSModel", "APNSPayload", "APNSTransport", "HTTP2Session", "TLSSession", "ProviderToken", .nioCore,
                .nioPosix,
            ]),
        tests(
            "GatewayServer",
            [
                "APNSModel", "APNSPayload", "APNSProvider", "APNSTransport", "ConfigurationText", "GatewayCore",
                "GatewayTesting", "HTTP2Session", "ProviderToken", "TLSSession", .logging, .nioCore, .nioEmbedded,
                .nioHTTP1, .nioPosix,
            ]),
        tests(
            "GatewayTesting",
            ["apns", "APNSModel", "APNSPayload", "APNSProvider", "DeviceSimulator", "ProviderToken"]),
        // The targets of XCTest: they show that the libraries for tests serve it too.
        .testTarget(
            name: "GatewayTestingXCTests",
            dependencies: ["GatewayTesting", "APNSModel", "APNSPayload", "APNSProvider"], swiftSettings: settings),
        .testTarget(
            name: "PushDispatchTestingXCTests", dependencies: ["PushDispatch", "PushDispatchTesting"],
            swiftSettings: settings),
        tests("Simulation", ["OrgSimulator", "PushDispatch", "SelectiveSync"]),
        tests("LoadGenerator", ["APNSModel", "PayloadJSON"]),
        tests("PayloadLint", ["APNSModel", "APNSPayload", "ConfigurationText", "PayloadJSON"]),
        tests("apns", ["APNSModel", "APNSPayload", "APNSProvider", "PayloadJSON", "ProviderToken"]),
        // What pages and doc comments show as Swift.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "APNSModel", "APNSPayload", "APNSProvider", "GatewayTesting", "ProviderToken", "PushDispatch",
                "PushDispatchTesting", "SelectiveSync", "SelectiveSyncSQLite",
            ],
            exclude: ["Pages/account.apns"], swiftSettings: settings),
        // The command as a process; it has to be built, not to be imported.
        .testTarget(
            name: "EndToEndTests", dependencies: ["apns", "ProviderToken", "TLSSession"], swiftSettings: settings),
    ]
)
