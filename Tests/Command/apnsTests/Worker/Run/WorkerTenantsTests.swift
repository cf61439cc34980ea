import APNSModel
import APNSProvider
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
            try "tenants:\n  - {name: default, key: AuthKey_ABC123DEFG.p8, team-id: DEF123GHIJ}\n".write(
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

    // MARK: Destinations

    private static let tenant = Given(environment: "production", key: "AuthKey_ABC123DEFG.p8", teamID: "DEF123GHIJ")

    private func destination(
        of tenant: Given, options: Given = Given(), variables: Given = Given(), profile: Given? = nil
    ) throws -> (gateway: APNSGateway, caPath: String?) {
        var chosen = try profile.map { _ in
            try ChosenProfile(
                "staging", in: ProfileFile(Array("profiles: {staging: {}}".utf8), name: "p", folder: "", home: nil))
        }
        if let profile { chosen?.given = profile }
        let destination = TenantDestination(options: options, variables: variables, profile: chosen)
        let choice = try destination.choice(tenant) { name throws(CommandError) in
            LocalGateway(
                gateway: APNSGateway(host: "127.0.0.1", port: 8443),
                credentials: LocalCredentials(
                    caPath: "local.pem", keyPath: "local.p8", keyID: "LOCAL00000", teamID: "LOCALTEAM0",
                    topic: "com.example.local"))
        }
        return (choice.gateway, choice.caPath)
    }

    @Test func `a tenant with a gateway is sent there, whatever its environment is`() throws {
        var tenant = WorkerTenantsTests.tenant
        #expect(try destination(of: tenant).gateway == APNSGateway(.production))
        tenant.gateway = "https://own:1"
        #expect(try destination(of: tenant).gateway == APNSGateway(host: "own", port: 1))
        let other = Given(gateway: "https://elsewhere:1", ca: "e.pem")
        // Authorities beside another gateway are not for this one.
        #expect(try destination(of: tenant, options: other).caPath == nil)
        #expect(try destination(of: tenant, variables: other).caPath == nil)
        tenant.gateway = "local"
        let local = try destination(of: tenant, options: other)
        #expect(local.gateway == APNSGateway(host: "127.0.0.1", port: 8443) && local.caPath == "local.pem")
    }

    @Test func `a gateway of options, variables or a profile is the one of all tenants`() throws {
        let gateway = Given(gateway: "https://elsewhere:1", ca: "ca.pem")
        let levels: [(Given, Given, Given?)] = [
            (gateway, Given(gateway: "local"), nil), (Given(), gateway, Given(environment: "sandbox", ca: "p.pem")),
            (Given(), Given(), gateway),
        ]
        for (options, variables, profile) in levels {
            let found = try destination(
                of: WorkerTenantsTests.tenant, options: options, variables: variables, profile: profile)
            #expect(found.gateway == APNSGateway(host: "elsewhere", port: 1) && found.caPath == "ca.pem")
        }
    }

    @Test func `an environment of the command line leaves each tenant its own`() throws {
        let production = try destination(
            of: WorkerTenantsTests.tenant, options: Given(environment: "sandbox"),
            variables: Given(gateway: "https://elsewhere:1", ca: "v.pem"), profile: Given(gateway: "local", ca: "p.pem")
        )
        #expect(production.gateway == APNSGateway(.production) && production.caPath == nil)
        var tenant = WorkerTenantsTests.tenant
        tenant.environment = nil
        let sandbox = try destination(of: tenant, profile: Given(environment: "production"))
        #expect(sandbox.gateway == APNSGateway(.sandbox))
    }
}
