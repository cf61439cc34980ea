// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SyncApp",
    platforms: [.macOS(.v15), .iOS(.v15)],
    products: [.library(name: "SyncApp", targets: ["SyncAppCore", "SyncAppUI"])],
    dependencies: [
        // In your app: .package(url: "https://…/apns-toolkit.git", from: "…", traits: ["SQLite"])
        .package(name: "apns-toolkit", path: "../..", traits: ["SQLite"])
    ],
    targets: [
        // Everything except screens and delegate. It is also built and tested on Linux.
        .target(
            name: "SyncAppCore",
            dependencies: [
                .product(name: "PushDispatch", package: "apns-toolkit"),
                .product(name: "SelectiveSync", package: "apns-toolkit"),
            ]),
        .target(
            name: "SyncAppUI",
            dependencies: ["SyncAppCore", .product(name: "SelectiveSyncSQLite", package: "apns-toolkit")]),
        .testTarget(
            name: "SyncAppCoreTests",
            dependencies: [
                "SyncAppCore", .product(name: "PushDispatchTesting", package: "apns-toolkit"),
                .product(name: "SelectiveSyncSQLite", package: "apns-toolkit"),
            ]),
    ]
)
