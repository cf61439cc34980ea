// swift-tools-version: 6.2
import PackageDescription

/// `tools/test` sets APNS_WARNINGS to `error`. Nobody else does: Xcode builds a package that it fetched with
/// `-suppress-warnings`, and stops where the package asks for warnings as errors.
let warnings: [SwiftSetting] = Context.environment["APNS_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warnings

// Every dependency outside this package has a trait as its condition, because SwiftPM fetches each package that an enabled
// target may use, whichever product was picked. tools/check-app builds an app with each choice and looks at what was
// fetched.
let sender = TargetDependencyCondition.when(traits: ["Sender"])
let simulator = TargetDependencyCondition.when(traits: ["Simulator"])
let sqlite = TargetDependencyCondition.when(traits: ["SQLite", "Simulator"])

extension Target.Dependency {
    static let nioCore = product(name: "NIOCore", package: "swift-nio", condition: sender)
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio", condition: sender)
    static let logging = product(name: "Logging", package: "swift-log", condition: sender)
    static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics", condition: sender)
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing", condition: sender)
    static let deque = product(name: "DequeModule", package: "swift-collections", condition: sender)
    static let metricsTestKit = product(name: "MetricsTestKit", package: "swift-metrics", condition: simulator)
    static let inMemoryTracing = product(
        name: "InMemoryTracing", package: "swift-distributed-tracing", condition: simulator)
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio", condition: simulator)
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio", condition: simulator)
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird", condition: simulator)
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird", condition: simulator)
    static let lifecycle = product(
        name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: simulator)
    static let argumentParser = product(
        name: "ArgumentParser", package: "swift-argument-parser", condition: simulator)
    static let histogram = product(name: "Histogram", package: "hdrhistogram-swift", condition: simulator)
    static let yams = product(name: "Yams", package: "Yams", condition: simulator)
    static let grdb = product(name: "GRDB", package: "GRDB.swift", condition: sqlite)
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift", condition: sqlite)
}

/// The target in the folder `Sources/PART/NAME`; `place` is `PART/NAME`.
func module(_ place: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name(of: place), dependencies: dependencies, path: "Sources/" + place, exclude: exclude,
        swiftSettings: settings)
}

/// The tests of the target `Sources/PART/NAME`, in the folder `Tests/PART/NAMETests`; `place` is `PART/NAME`.
func tests(_ place: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name(of: place) + "Tests", dependencies: [.init(stringLiteral: name(of: place))] + dependencies,
        path: "Tests/\(place)Tests", swiftSettings: settings)
}

func name(of place: String) -> String { String(place.split(separator: "/")[1]) }

let package = Package(
    name: "apns-toolkit",
    platforms: [.macOS(.v15), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .executable(name: "apns", targets: ["apns"]),
        .plugin(name: "ValidatePayloads", targets: ["ValidatePayloads"]),
        .library(name: "APNSPayload", targets: ["APNSPayload", "APNSModel"]),
        .library(name: "APNSSender", targets: ["APNSSender"]),
        .library(name: "APNSSenderTesting", targets: ["APNSSenderTesting"]),
        .library(
            name: "APNSProvider",
            targets: [
                "APNSProvider", "APNSPayload", "APNSModel", "ProviderMetrics", "ProviderToken", "ProviderTracing",
            ]),
        .library(name: "GatewayTesting", targets: ["GatewayTesting"]),
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
        .trait(name: "Sender", description: "The sender: NIO, logging, metrics, tracing and collections."),
        .trait(
            name: "Simulator", description: "The gateway simulator, the validator as a tool, the command.",
            enabledTraits: ["Sender"]),
        .trait(name: "SQLite", description: "The stores of SelectiveSync and EventDelivery on SQLite: GRDB."),
        .default(enabledTraits: ["Sender", "Simulator", "SQLite"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift.git", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // Base: system libraries, the vocabulary, texts and files. They import no other part.
        .systemLibrary(
            name: "CNghttp2", path: "Sources/Base/CNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/Base/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CTimex", path: "Sources/Base/CTimex"),
        .systemLibrary(
            name: "CHiredis", path: "Sources/Base/CHiredis", pkgConfig: "hiredis",
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/Base/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        module("Base/APNSModel"),
        module("Base/PayloadJSON"),
        module("Base/DER"),
        module("Base/ConfigurationText", ["APNSModel", "PayloadJSON", .yams]),
        module("Base/SystemFiles"),
        module("Base/HTTPServing", [.hummingbirdCore, .logging, .nioCore]),

        // Payload: what a payload may be, and the validator as a tool.
        module("Payload/APNSPayload", ["APNSModel", "PayloadJSON"]),
        module("Payload/ExperienceLint", ["APNSPayload", "PayloadJSON"]),
        module("Payload/PayloadGuide", ["APNSModel", "APNSPayload", "PayloadJSON"]),
        module("Payload/PayloadLint", ["APNSModel", "APNSPayload", "ConfigurationText", "PayloadJSON"]),

        // Wire: HTTP/2 and TLS without I/O, and sockets for both ends.
        module("Wire/HTTP2Session", ["APNSModel", "CNghttp2"]),
        module("Wire/TLSSession", ["APNSModel", "COpenSSL", "DER"]),
        module("Wire/APNSTransport", ["APNSModel", "HTTP2Session", "TLSSession", .nioCore, .nioPosix]),

        // Sender.
        module("Sender/ProviderToken", ["APNSModel", "COpenSSL", "DER", "PayloadJSON", "SystemFiles"]),
        module("Sender/ProviderMetrics", [.coreMetrics]),
        module("Sender/ProviderTracing", [.tracing]),
        module(
            "Sender/APNSProvider",
            [
                "APNSModel", "APNSPayload", "APNSTransport", "HTTP2Session", "PayloadJSON", "ProviderMetrics",
                "ProviderToken", "ProviderTracing", "SystemFiles", "TLSSession",
                .deque, .nioCore, .nioPosix, .logging,
            ]),
        module(
            "Sender/APNSSender",
            ["APNSModel", "APNSPayload", "APNSProvider", "ProviderMetrics", "ProviderToken", "ProviderTracing"]),
        module("Sender/APNSSenderTesting", ["APNSModel", "APNSPayload", "APNSProvider"]),
        module("Sender/LoadGenerator", ["APNSModel", "PayloadJSON", .histogram]),

        // `apns doctor`: what its checks decide, and the probes that collect their evidence.
        module("Sender/Doctor", ["APNSModel", "ProviderToken", "TLSSession"]),
        module(
            "Sender/DoctorProbes",
            [
                "APNSModel", "APNSProvider", "APNSTransport", "CTimex", "Doctor", "HTTP2Session", "PayloadJSON",
                "ProviderToken", "SystemFiles", "TLSSession", .nioCore, .nioPosix,
            ]),

        // Worker: clients of the engines that keep its queue.
        module("Worker/EngineSupport", ["APNSModel"]),
        module(
            "Worker/RedisClient",
            [
                "APNSModel", "APNSTransport", "CHiredis", "EngineSupport", "SystemFiles", "TLSSession", .nioCore,
                .nioPosix,
            ]),
        module("Worker/PostgresClient", ["APNSModel", "CPostgres", "EngineSupport", "SystemFiles"]),
        // Worker: a durable queue in an engine, and what sends from it.
        module("Worker/PushQueue"),
        module("Worker/MemoryQueue", ["PushQueue"]),
        module("Worker/RedisQueue", ["PushQueue", "RedisClient"]),
        module("Worker/PostgresQueue", ["PostgresClient", "PushQueue"]),
        module("Worker/WorkerCore", ["APNSModel", "APNSPayload", "APNSProvider", "PayloadJSON", "PushQueue"]),
        module(
            "Worker/WorkerRuntime",
            ["APNSModel", "APNSPayload", "APNSProvider", "APNSTransport", "PushQueue", "WorkerCore"]),

        // What `apns doctor` asks an engine.
        module(
            "Worker/QueueProbes",
            [
                "Doctor", "DoctorProbes", "PostgresClient", "PostgresQueue", "PushQueue", "RedisClient", "RedisQueue",
            ]),

        // Gateway: decisions, what keeps and configures them, the ports, and what puts them together.
        module("Gateway/GatewayCore", ["APNSModel", "APNSPayload", "PayloadJSON", "ProviderToken"]),
        module("Gateway/GatewayStore", ["APNSModel", "GatewayCore", "ProviderToken", "SystemFiles", .grdb]),
        module(
            "Gateway/GatewayJSON", ["APNSModel", "APNSPayload", "GatewayCore", "PayloadJSON", "ProviderToken"]),
        module(
            "Gateway/DevelopmentCredentials",
            ["APNSModel", "PayloadJSON", "ProviderToken", "SystemFiles", "TLSSession"]),
        module(
            "Gateway/GatewayConfiguration",
            [
                "APNSModel", "ConfigurationText", "DevelopmentCredentials", "GatewayCore", "GatewayJSON", "PayloadJSON",
                "ProviderToken", "SystemFiles", "TLSSession", .logging,
            ]),
        module(
            "Gateway/GatewayRuntime",
            [
                "APNSModel", "APNSTransport", "GatewayConfiguration", "GatewayCore", "GatewayJSON",
                "GatewayStore", "PayloadJSON", "ProviderToken", "SystemFiles", "TLSSession", .logging, .nioCore,
                .nioHTTP1, .nioPosix,
            ]),
        module(
            "Gateway/GatewayListener",
            [
                "APNSModel", "APNSTransport", "GatewayConfiguration", "GatewayCore", "GatewayRuntime", "HTTP2Session",
                "TLSSession", .nioCore,
            ]),
        module(
            "Gateway/GatewayControl",
            [
                "APNSModel", "APNSPayload", "APNSTransport", "GatewayConfiguration", "GatewayCore",
                "GatewayJSON", "GatewayRuntime", "HTTPServing", "PayloadJSON", "ProviderToken", "SystemFiles",
                .hummingbird, .hummingbirdCore, .nioCore, .nioHTTP1, .nioPosix, .logging,
            ],
            exclude: ["Page/Files"]),
        module(
            "Gateway/GatewayServer",
            [
                "APNSModel", "DevelopmentCredentials", "GatewayConfiguration", "GatewayControl", "GatewayCore",
                "GatewayJSON", "GatewayListener", "GatewayRuntime", "GatewayStore", "PayloadJSON", "ProviderToken",
                "SystemFiles", "TLSSession", .logging, .nioCore, .nioPosix,
            ]),
        module(
            "Gateway/GatewayTesting",
            [
                "APNSModel", "APNSPayload", "APNSProvider", "GatewayCore", "GatewayServer", "DevelopmentCredentials",
                "GatewayConfiguration", "ProviderToken", .logging,
            ]),
        module(
            "Gateway/DeviceSimulator",
            [
                "APNSModel", "PayloadJSON", "PushDispatch", "SelectiveSync", "SystemFiles", .nioCore, .nioPosix,
                .nioHTTP1,
            ]),

        // App: libraries for apps. They import nothing but each other, and GRDB under its trait.
        module("App/PushDispatch"),
        module("App/PushDispatchTesting", ["PushDispatch"]),
        module("App/SelectiveSync", ["PushDispatch"]),
        module("App/DatabaseFiles"),
        module("App/SelectiveSyncSQLite", ["DatabaseFiles", "PushDispatch", "SelectiveSync", .grdb, .grdbSQLite]),
        module("App/EventDelivery", ["PushDispatch"]),
        module("App/EventDeliverySQLite", ["DatabaseFiles", "EventDelivery", .grdb, .grdbSQLite]),
        module("App/Personalization", ["EventDelivery", "PushDispatch"]),
        module("App/Optimization", ["EventDelivery", "PushDispatch"]),

        // Backend: the simulated CRM and the simulated decision service, and what both have in common.
        module("Backend/NoticeEncryption", ["COpenSSL", "PushDispatch"]),
        module(
            "Backend/ServiceHost",
            [
                "APNSModel", "ConfigurationText", "HTTPServing", "PushDispatch", .hummingbird, .hummingbirdCore,
                .nioCore,
                .nioPosix, .logging,
            ]),
        module(
            "Backend/OrgSimulator",
            ["APNSModel", "ConfigurationText", "NoticeEncryption", "PushDispatch", "SelectiveSync", "ServiceHost"]),
        module(
            "Backend/PersonalizationSimulator",
            ["APNSModel", "ConfigurationText", "PushDispatch", "ServiceHost", "SystemFiles"]),
        module(
            "Backend/OptimizationSimulator",
            ["APNSModel", "ConfigurationText", "PayloadJSON", "PushDispatch", "ServiceHost", "SystemFiles"]),
        module("Backend/ServiceSQLite", ["ServiceHost", "SystemFiles", .grdb]),

        // Proof: the whole product on virtual time, and programs that only tests and benchmarks build.
        module(
            "Proof/Simulation",
            [
                "APNSModel", "APNSProvider", "AppPlay", "EventDelivery", "GatewayCore", "Optimization",
                "OptimizationSimulator", "OrgSimulator", "Personalization", "PersonalizationSimulator",
                "ProviderToken", "PushDispatch", "SelectiveSync", "ServiceHost",
            ]),
        module(
            "Proof/WorkerSimulation",
            ["APNSModel", "APNSPayload", "APNSProvider", "MemoryQueue", "PushQueue", "WorkerCore"]),
        module(
            "Proof/SimulationSQLite", ["EventDeliverySQLite", "SelectiveSync", "SelectiveSyncSQLite", "Simulation"]),
        // Apps that a script plays on virtual time against a running service.
        module("Proof/AppPlay", ["APNSModel", "EventDelivery", "PushDispatch"]),
        module("Proof/PersonalizationPlay", ["AppPlay", "EventDelivery", "Personalization", "PushDispatch"]),
        module("Proof/OptimizationPlay", ["AppPlay", "EventDelivery", "Optimization", "PushDispatch"]),
        .executableTarget(
            name: "apns-seeds", dependencies: ["Simulation", "SimulationSQLite", "WorkerSimulation"],
            path: "Sources/Proof/Seeds", swiftSettings: settings),
        .executableTarget(
            name: "apns-bare-server",
            dependencies: [
                "APNSTransport", "GatewayServer", "DevelopmentCredentials", "HTTP2Session", "TLSSession",
                .argumentParser, .nioCore, .nioPosix,
            ],
            path: "Sources/Proof/BareServer", swiftSettings: settings),
        .executableTarget(
            name: "apns-sync-bench", dependencies: ["PushDispatch", "SelectiveSync", "SelectiveSyncSQLite", .grdb],
            path: "Sources/Proof/SyncBench", swiftSettings: settings),
        .executableTarget(
            name: "apns-event-bench", dependencies: ["EventDelivery", "EventDeliverySQLite"],
            path: "Sources/Proof/EventBench", swiftSettings: settings),
        .executableTarget(
            name: "apns-personalization-bench",
            dependencies: [
                "EventDelivery", "EventDeliverySQLite", "Personalization", "PersonalizationSimulator", "ServiceHost",
                "ServiceSQLite",
            ],
            path: "Sources/Proof/PersonalizationBench", swiftSettings: settings),
        .executableTarget(
            name: "apns-optimization-bench",
            dependencies: ["Optimization", "OptimizationSimulator", "PushDispatch", "ServiceHost", "ServiceSQLite"],
            path: "Sources/Proof/OptimizationBench", swiftSettings: settings),

        // Command.
        .executableTarget(
            name: "apns",
            dependencies: [
                "APNSModel", "APNSPayload", "APNSProvider", "AppPlay", "ConfigurationText", "DeviceSimulator",
                "Doctor", "DoctorProbes", "GatewayCore", "GatewayServer", "DevelopmentCredentials", "EventDelivery",
                "ExperienceLint", "GatewayConfiguration", "GatewayJSON", "GatewayRuntime", "SystemFiles",
                "LoadGenerator", "Optimization", "OptimizationPlay", "OptimizationSimulator", "OrgSimulator",
                "PayloadGuide", "PayloadJSON", "PayloadLint",
                "Personalization", "PersonalizationPlay", "PersonalizationSimulator", "ProviderToken", "PushDispatch",
                "PostgresQueue", "PushQueue", "QueueProbes", "RedisQueue", "SelectiveSync", "SelectiveSyncSQLite",
                "ServiceHost", "ServiceSQLite", "Simulation", "SimulationSQLite", "WorkerCore", "WorkerRuntime",
                .argumentParser, .logging,
            ],
            path: "Sources/Command/apns", swiftSettings: settings),

        // `swift package validate-payloads`. It does not depend on the command: then every build of this package would compile
        // the command a second time, as a tool.
        .plugin(
            name: "ValidatePayloads",
            capability: .command(
                intent: .custom(
                    verb: "validate-payloads",
                    description: "Checks the payloads of push notifications with apns validate."))),

        // Tests mirror the modules.
        .target(name: "RepositoryFiles", path: "Tests/Support/RepositoryFiles", swiftSettings: settings),
        .target(name: "TestSeeds", path: "Tests/Support/TestSeeds", swiftSettings: settings),
        // What tests of several parts need: temporary folders, ports that refuse connections, waiting for a condition.
        .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: settings),
        // A clock that tests of several app libraries move.
        .target(
            name: "AppTestSupport", dependencies: ["PushDispatch", "TestSupport"], path: "Tests/Support/AppTestSupport",
            swiftSettings: settings),
        // An HTTP proxy on a loopback port.
        .target(
            name: "ProxyTestSupport", dependencies: ["APNSTransport", "TLSSession", .nioCore, .nioPosix],
            path: "Tests/Support/ProxyTestSupport",
            swiftSettings: settings),
        // Clients and servers that the tests of the gateway share.
        .target(
            name: "GatewayTestSupport",
            dependencies: [
                "APNSModel", "APNSProvider", "APNSTransport", "GatewayConfiguration", "GatewayCore", "GatewayServer",
                "GatewayTesting", "HTTP2Session", "ProviderToken", "TLSSession", .logging, .nioCore, .nioHTTP1,
                .nioPosix,
            ],
            path: "Tests/Support/GatewayTestSupport", swiftSettings: settings),
        // Redis and PostgreSQL as processes, on free ports, with their data in temporary folders.
        .target(
            name: "RealServers", dependencies: ["SystemFiles"], path: "Tests/Support/RealServers",
            swiftSettings: settings),
        // What every engine of the worker has to do.
        .target(
            name: "PushQueueTesting", dependencies: ["PushQueue"], path: "Tests/Support/PushQueueTesting",
            swiftSettings: settings),
        tests("Base/APNSModel", ["TestSeeds"]),
        tests("Base/ConfigurationText", ["PayloadJSON"]),
        tests("Base/DER"),
        tests("Base/HTTPServing", [.hummingbirdCore, .logging, .nioCore, .nioPosix]),
        tests("Base/PayloadJSON", ["RepositoryFiles", "TestSeeds"]),
        tests("Base/SystemFiles", ["TestSupport"]),
        tests("Payload/APNSPayload", ["APNSModel", "PayloadJSON", "RepositoryFiles", "TestSeeds"]),
        tests("Payload/ExperienceLint", ["APNSPayload", "RepositoryFiles"]),
        tests("Payload/PayloadGuide", ["APNSModel", "APNSPayload", "PayloadJSON", "RepositoryFiles"]),
        tests("Wire/HTTP2Session", ["APNSModel", "CNghttp2", "TestSeeds"]),
        tests("Wire/TLSSession", ["COpenSSL"]),
        tests("Sender/ProviderToken", ["APNSModel", "COpenSSL", "RepositoryFiles", "TestSeeds", "TestSupport"]),
        tests("Sender/APNSSender", ["GatewayTesting"]),
        tests(
            "Sender/Doctor",
            ["APNSModel", "ProviderToken", "RepositoryFiles", "SystemFiles", "TLSSession", "TestSupport"]),
        tests(
            "Sender/DoctorProbes",
            [
                "APNSModel", "APNSProvider", "APNSTransport", "COpenSSL", "DevelopmentCredentials", "Doctor",
                "GatewayCore", "GatewayServer", "GatewayTesting", "ProviderToken", "ProxyTestSupport", "TLSSession",
                "TestSupport", .nioCore, .nioPosix,
            ]),
        tests("Worker/EngineSupport", ["APNSModel"]),
        tests(
            "Worker/RedisClient",
            ["APNSModel", "RealServers", "SystemFiles", "TLSSession", "TestSupport", .nioCore, .nioPosix]),
        tests(
            "Worker/PostgresClient", ["APNSModel", "RealServers", "SystemFiles", "TLSSession", "TestSupport"]),
        tests(
            "Worker/RedisQueue",
            [
                "PushQueue", "PushQueueTesting", "RealServers", "RedisClient", "RepositoryFiles", "TestSupport",
                .nioCore, .nioPosix,
            ]),
        tests(
            "Worker/PostgresQueue", ["PostgresClient", "PushQueue", "PushQueueTesting", "RealServers", "TestSupport"]),
        tests(
            "Worker/QueueProbes",
            [
                "Doctor", "DoctorProbes", "PostgresClient", "PostgresQueue", "RealServers", "RedisClient",
                "TestSupport",
            ]),
        tests("Sender/APNSSenderTesting", ["APNSModel", "APNSPayload", "APNSProvider"]),
        tests("App/PushDispatch", ["TestSeeds"]),
        tests("App/PushDispatchTesting", ["PushDispatch"]),
        tests("App/SelectiveSync", ["PushDispatch", "PushDispatchTesting", "TestSeeds", "TestSupport"]),
        tests(
            "App/SelectiveSyncSQLite",
            [
                "DatabaseFiles", "PushDispatch", "RepositoryFiles", "SelectiveSync", "TestSeeds", "sqlite-crash-writer",
                .grdb, .grdbSQLite,
            ]),
        // Writes until it is killed; the tests of the store start it.
        .executableTarget(
            name: "sqlite-crash-writer",
            dependencies: ["FaultyDisk", "PushDispatch", "SelectiveSync", "SelectiveSyncSQLite"],
            path: "Tests/App/SQLiteCrashWriter", swiftSettings: settings),
        .target(name: "FaultyDisk", path: "Tests/App/FaultyDisk"),
        tests("App/DatabaseFiles", ["TestSupport"]),
        tests(
            "App/EventDelivery",
            ["AppTestSupport", "PushDispatch", "RepositoryFiles", "TestSeeds", "TestSupport", "event-crash-writer"]),
        tests(
            "App/EventDeliverySQLite",
            ["EventDelivery", "RepositoryFiles", "TestSeeds", "event-crash-writer", .grdb]),
        // The same for the stores of EventDelivery.
        .executableTarget(
            name: "event-crash-writer", dependencies: ["EventDelivery", "EventDeliverySQLite", "FaultyDisk"],
            path: "Tests/App/EventCrashWriter", swiftSettings: settings),
        tests("App/Personalization", ["AppTestSupport", "EventDelivery", "PushDispatch", "TestSeeds", "TestSupport"]),
        tests(
            "App/Optimization",
            ["EventDelivery", "OptimizationSimulator", "PushDispatch", "ServiceHost", "TestSeeds", "TestSupport"]),
        tests("Backend/NoticeEncryption", ["PushDispatch"]),
        tests(
            "Backend/OrgSimulator",
            ["APNSModel", "ConfigurationText", "NoticeEncryption", "PushDispatch", "SelectiveSync", "ServiceHost"]),
        tests(
            "Backend/PersonalizationSimulator",
            ["APNSModel", "ConfigurationText", "PushDispatch", "RepositoryFiles", "ServiceHost", "TestSeeds"]),
        tests(
            "Backend/OptimizationSimulator",
            ["APNSModel", "ConfigurationText", "PushDispatch", "RepositoryFiles", "ServiceHost", "TestSeeds"]),
        tests("Backend/ServiceHost", ["APNSModel", "PushDispatch", .nioCore, .nioPosix]),
        tests(
            "Backend/ServiceSQLite",
            ["OptimizationSimulator", "PersonalizationSimulator", "PushDispatch", "ServiceHost", .grdb]),
        tests("Worker/PushQueue"),
        tests("Worker/MemoryQueue", ["PushQueue", "PushQueueTesting"]),
        tests(
            "Worker/WorkerCore",
            ["APNSModel", "APNSPayload", "APNSProvider", "MemoryQueue", "PushQueue", "TestSeeds"]),
        tests(
            "Worker/WorkerRuntime",
            [
                "APNSModel", "APNSPayload", "APNSProvider", "DevelopmentCredentials", "GatewayTesting", "MemoryQueue",
                "PushQueue", "TLSSession", "TestSupport", "WorkerCore",
            ]),
        tests("Gateway/DeviceSimulator"),
        tests("Gateway/GatewayCore", ["APNSModel", "APNSPayload", "PayloadJSON", "ProviderToken", "TestSeeds"]),
        tests("Gateway/GatewayStore", ["APNSModel", "GatewayCore", "ProviderToken", "TestSeeds", .grdb]),
        tests(
            "Wire/APNSTransport",
            ["APNSModel", "HTTP2Session", "ProxyTestSupport", "TLSSession", "TestSupport", .nioCore, .nioPosix]),
        tests("Sender/ProviderMetrics", [.coreMetrics, .metricsTestKit]),
        tests("Sender/ProviderTracing", [.inMemoryTracing, .tracing]),
        tests(
            "Sender/APNSProvider",
            [
                "APNSModel", "APNSTransport", "HTTP2Session", "ProviderMetrics", "ProviderToken", "ProviderTracing",
                "ProxyTestSupport", "RepositoryFiles", "TestSeeds", "TestSupport", "TLSSession", .inMemoryTracing,
                .logging, .metricsTestKit, .nioCore, .nioEmbedded, .nioPosix, .tracing,
            ]),
        tests(
            "Gateway/GatewayRuntime",
            [
                "APNSModel", "APNSProvider", "DevelopmentCredentials", "GatewayConfiguration", "GatewayCore",
                "GatewayJSON", "GatewayServer", "GatewayTestSupport", "GatewayTesting", "ProviderToken", "SystemFiles",
                "TLSSession", "TestSupport", .logging, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix,
            ]),
        tests(
            "Gateway/GatewayListener",
            [
                "APNSModel", "APNSProvider", "DevelopmentCredentials", "GatewayConfiguration", "GatewayCore",
                "GatewayJSON", "GatewayRuntime", "GatewayServer", "GatewayTestSupport", "GatewayTesting",
                "HTTP2Session", "SystemFiles", "TestSeeds", "TLSSession",
            ]),
        tests("Gateway/DevelopmentCredentials", ["APNSModel", "ProviderToken", "SystemFiles", "TLSSession"]),
        tests("Gateway/GatewayJSON", ["APNSModel", "GatewayCore", "PayloadJSON", "ProviderToken"]),
        tests(
            "Gateway/GatewayConfiguration",
            [
                "APNSModel", "ConfigurationText", "DevelopmentCredentials", "GatewayCore", "GatewayJSON", "PayloadJSON",
                "ProviderToken", "RepositoryFiles", "TLSSession",
            ]),
        tests(
            "Gateway/GatewayControl",
            [
                "APNSModel", "APNSPayload", "DevelopmentCredentials", "GatewayConfiguration", "GatewayCore",
                "GatewayJSON", "GatewayRuntime", "GatewayServer", "GatewayTestSupport", "GatewayTesting",
                "HTTPServing", "PayloadJSON", "ProviderToken", "TestSupport", .nioCore, .nioEmbedded, .nioHTTP1,
                .nioPosix,
            ]),
        tests(
            "Gateway/GatewayServer",
            [
                "APNSModel", "APNSPayload", "APNSProvider", "DevelopmentCredentials", "GatewayConfiguration",
                "GatewayCore", "GatewayJSON", "GatewayListener", "GatewayRuntime", "GatewayTestSupport",
                "GatewayTesting", "HTTP2Session", "ProviderToken", "RepositoryFiles", "SystemFiles", "TLSSession",
                "TestSupport", .nioCore,
            ]),
        tests(
            "Gateway/GatewayTesting",
            [
                "apns", "APNSModel", "APNSPayload", "APNSProvider", "DeviceSimulator", "GatewayTestSupport",
                "ProviderToken", "RepositoryFiles",
            ]),
        // The targets of XCTest: they show that the libraries for tests serve it too.
        .testTarget(
            name: "GatewayTestingXCTests",
            dependencies: ["GatewayTesting", "APNSModel", "APNSPayload", "APNSProvider"],
            path: "Tests/Gateway/GatewayTestingXCTests", swiftSettings: settings),
        .testTarget(
            name: "PushDispatchTestingXCTests", dependencies: ["PushDispatch", "PushDispatchTesting"],
            path: "Tests/App/PushDispatchTestingXCTests", swiftSettings: settings),
        tests(
            "Proof/Simulation",
            ["OrgSimulator", "PushDispatch", "SelectiveSync", "ServiceHost", "SimulationSQLite", "TestSeeds"]),
        tests("Proof/WorkerSimulation", ["TestSeeds"]),
        tests("Proof/SimulationSQLite", ["PushDispatch", "SelectiveSync", "Simulation"]),
        tests("Proof/AppPlay", ["PushDispatch"]),
        tests(
            "Proof/PersonalizationPlay",
            [
                "AppPlay", "EventDelivery", "Personalization", "PersonalizationSimulator", "PushDispatch",
                "RepositoryFiles", "ServiceHost", "TestSupport",
            ]),
        tests(
            "Proof/OptimizationPlay",
            [
                "AppPlay", "Optimization", "OptimizationSimulator", "PushDispatch", "RepositoryFiles", "ServiceHost",
                "TestSupport",
            ]
        ),
        tests("Sender/LoadGenerator", ["APNSModel", "PayloadJSON", "TestSeeds"]),
        tests(
            "Payload/PayloadLint", ["APNSModel", "APNSPayload", "ConfigurationText", "RepositoryFiles"]),
        tests(
            "Command/apns",
            [
                "APNSModel", "APNSPayload", "APNSProvider", "AppPlay", "ConfigurationText", "DeviceSimulator",
                "GatewayConfiguration", "GatewayCore", "OrgSimulator", "PayloadGuide", "PayloadJSON", "ProviderToken",
                "MemoryQueue", "PushDispatch", "PushQueue", "RepositoryFiles", "SelectiveSync", "SystemFiles",
                "TestSeeds", "TestSupport", "WorkerCore", "WorkerRuntime", .argumentParser,
            ]),
        // What pages and doc comments show as Swift.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "APNSModel", "APNSPayload", "APNSProvider", "APNSSender", "APNSSenderTesting", "EventDelivery",
                "EventDeliverySQLite", "GatewayTesting", "Optimization", "Personalization", "PersonalizationSimulator",
                "ProviderMetrics", "ProviderToken", "ProviderTracing", "PushDispatch", "PushDispatchTesting",
                "RepositoryFiles", "SelectiveSync", "SelectiveSyncSQLite", "ServiceHost", "TestSupport", .lifecycle,
                .logging,
                .metricsTestKit, .nioCore, .nioPosix, .tracing,
            ],
            exclude: ["Pages/account.apns"], swiftSettings: settings),
        // The command as a process; it has to be built, not to be imported.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "apns", "ProviderToken", "ProxyTestSupport", "RealServers", "RedisClient", "RepositoryFiles",
                "SystemFiles", "TLSSession", "TestSupport",
            ],
            path: "Tests/Command/EndToEndTests", swiftSettings: settings),
    ]
)
