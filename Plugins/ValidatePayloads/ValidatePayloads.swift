import Foundation
import PackagePlugin

/// `swift package validate-payloads`: runs `apns validate` in the folder of a package.
///
/// What it runs is decided by `ValidatorCommand`; this is the shell around it.
@main
struct ValidatePayloads: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let files = FileManager.default
        let decision = ValidatorCommand(
            arguments: arguments, environment: ProcessInfo.processInfo.environment,
            canBuild: canBuild(context.package), isProgram: { files.isExecutableFile(atPath: $0) })
        switch decision {
        case .missing(let advice): Diagnostics.error(advice)
        case .run(let file, let arguments): try run(file, arguments, in: context.package.directoryURL)
        case .build(let arguments):
            let build = try packageManager.build(.product("apns"), parameters: .init())
            let command = build.builtArtifacts.first { $0.kind == .executable && $0.url.lastPathComponent == "apns" }
            guard build.succeeded, let command else {
                print(build.logText)
                return Diagnostics.error("the command apns could not be built")
            }
            try run(command.url.path, arguments, in: context.package.directoryURL)
        }
    }

    /// Whether the command is a target here or in a dependency, with the parser of its arguments, which is fetched only with
    /// the trait Simulator.
    private func canBuild(_ package: Package) -> Bool {
        let command = package.targets.first { $0.name == "apns" }
        let isWhole = command?.dependencies.contains { dependency in
            guard case .product(let product) = dependency else { return false }
            return product.name == "ArgumentParser"
        }
        return isWhole ?? package.dependencies.contains { canBuild($0.package) }
    }

    private func run(_ file: String, _ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }
}
