import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import apns

@Suite struct WorkerTenantsTests {
    private typealias Given = CredentialChoice.Given

    private func connecting(_ given: Given) throws -> String {
        let choice = try CredentialChoice(options: given, variables: Given()) { name throws(CommandError) in
            throw CommandError("no gateway runs here: \(name)")
        }
        return WorkerTenants.connecting(choice)
    }

    @Test func `connections of many tenants are closed when nothing is sent, and those of a few stay open`() {
        #expect(WorkerTenants.idleTimeout(tenants: 1) == nil)
        #expect(WorkerTenants.idleTimeout(tenants: 16) == nil)
        #expect(WorkerTenants.idleTimeout(tenants: 17) == .seconds(60))
    }

    @Test func `a tenant of the file must not have the name of the credentials of the command line`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("tenants.yaml")
            try "tenants:\n  - {name: default, key: x.p8, team-id: DEF123GHIJ}\n".write(
                to: file, atomically: true, encoding: .utf8)
            let credentials = try CredentialOptions.parse(["--key", "nowhere.p8", "--team-id", "DEF123GHIJ"])
            let tenants = WorkerTenants(
                credentials: credentials, topic: "com.example.app", path: file.path, connections: 1,
                timeout: .seconds(30))
            let error = #expect(throws: CommandError.self) { try tenants.read() }
            #expect(error?.message.hasPrefix("\(file.path) has a tenant default") == true)
            #expect(error?.status == .failed)
        }
        try WorkerTenants.checkNames(["acme", "beta"], in: "tenants.yaml")
    }

    @Test func `tenants share a breaker if certificate and authorities are the same`() throws {
        let key = try connecting(Given(key: "AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ"))
        let otherKey = try connecting(Given(key: "AuthKey_ABC123DEFH.p8", teamID: "DEF123GHIK"))
        #expect(key == otherKey)
        let others = [
            try connecting(Given(key: "AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ", ca: "ca.pem")),
            try connecting(Given(certificate: "acme.p12")), try connecting(Given(certificate: "beta.p12")),
            try connecting(Given(certificate: "beta.p12", ca: "ca.pem")),
        ]
        #expect(Set(others + [key]).count == 5)
    }
}
