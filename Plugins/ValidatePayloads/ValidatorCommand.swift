/// Which command `apns` checks payloads, and with which arguments.
enum ValidatorCommand: Equatable {
    case run(file: String, arguments: [String])
    /// The package manager can build the command.
    case build(arguments: [String])
    /// There is none; what to do.
    case missing(advice: String)

    /// The variable that names an installed command.
    static let variable = "APNS_COMMAND"

    /// - Parameters:
    ///   - arguments: Those after `swift package validate-payloads`.
    ///   - canBuild: Whether the packages that the command needs were fetched, as with the trait Simulator.
    ///   - isProgram: Whether a file can be run.
    init(arguments: [String], environment: [String: String], canBuild: Bool, isProgram: (String) -> Bool) {
        let arguments = ["validate"] + arguments
        if let named = environment[ValidatorCommand.variable], !named.isEmpty {
            let advice = "\(ValidatorCommand.variable) is \(named), which is not a program; name a command apns"
            self = isProgram(named) ? .run(file: named, arguments: arguments) : .missing(advice: advice)
            return
        }
        guard !canBuild else {
            self = .build(arguments: arguments)
            return
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        guard let file = folders.map({ "\($0)/apns" }).first(where: isProgram) else {
            self = .missing(
                advice: "there is no command apns: install it, name it in \(ValidatorCommand.variable), or give the "
                    + "dependency on apns-toolkit the trait \"Simulator\", with which it is built")
            return
        }
        self = .run(file: file, arguments: arguments)
    }
}
