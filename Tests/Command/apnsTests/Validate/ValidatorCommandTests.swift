import Testing

/// What `swift package validate-payloads` runs; the file is that of the plugin, which a test cannot import.
struct ValidatorCommandTests {
    private func decide(
        _ arguments: [String] = [], environment: [String: String] = ["PATH": "/usr/bin:/opt/bin"],
        canBuild: Bool = false, programs: Set<String> = []
    ) -> ValidatorCommand {
        ValidatorCommand(
            arguments: arguments, environment: environment, canBuild: canBuild, isProgram: { programs.contains($0) })
    }

    @Test func `the command is built where that is possible, otherwise the first in PATH is taken`() {
        let installed: Set = ["/opt/bin/apns"]
        #expect(
            decide(["--fail-on", "note", "p"], canBuild: true, programs: installed)
                == .build(arguments: ["validate", "--fail-on", "note", "p"]))
        #expect(decide(["p"], programs: installed) == .run(file: "/opt/bin/apns", arguments: ["validate", "p"]))
    }

    @Test func `a command that is named comes before both`() {
        let environment = ["PATH": "/opt/bin", "APNS_COMMAND": "/mine/apns"]
        #expect(
            decide(environment: environment, canBuild: true, programs: ["/opt/bin/apns", "/mine/apns"])
                == .run(file: "/mine/apns", arguments: ["validate"]))
        guard case .missing(let advice) = decide(environment: environment, canBuild: true) else {
            Issue.record("a program that does not exist was taken")
            return
        }
        #expect(advice.hasPrefix("APNS_COMMAND is /mine/apns, which is not a program"))
    }

    @Test func `where there is none, it says how to get one`() {
        for environment in [["PATH": "/usr/bin"], [:], ["PATH": "", "APNS_COMMAND": ""]] {
            guard case .missing(let advice) = decide(environment: environment) else {
                Issue.record("there is no command to run")
                return
            }
            #expect(advice.contains("install it") && advice.contains("\"Simulator\""))
        }
    }
}
