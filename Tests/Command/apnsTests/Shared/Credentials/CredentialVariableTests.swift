import ArgumentParser
import Testing

@testable import apns

struct CredentialVariableTests {
    @Test func `each variable has its own field`() {
        for variable in CredentialVariable.all {
            var given = CredentialChoice.Given()
            given[keyPath: variable.field] = "x"
            let others = CredentialVariable.all.filter { $0.name != variable.name }
            #expect(others.allSatisfy { given[keyPath: $0.field] == nil }, "\(variable.name)")
        }
        #expect(Set(CredentialVariable.all.map(\.name)).count == CredentialVariable.all.count)
    }

    @Test func `the help of send has each option, and the variable that replaces it`() {
        let help = SendCommand.helpMessage(columns: 400)
        for variable in CredentialVariable.all {
            #expect(help.contains("  \(variable.option) <"), "\(variable.option)")
            #expect(help.contains(variable.name), "\(variable.name)")
        }
        #expect(help.contains(CredentialVariable.passphraseName))
    }

    @Test func `a variable is named like its option`() {
        for variable in CredentialVariable.all {
            let name = variable.option.dropFirst(2).uppercased().replacing("-", with: "_")
            #expect(variable.name == "APNS_\(name)")
        }
    }
}
