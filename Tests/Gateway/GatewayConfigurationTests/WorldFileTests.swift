import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import PayloadJSON
import ProviderToken
import Testing

/// What stored worlds begin with that were read from files.
struct WorldFileTests {
    private func stored(_ document: String?, environment: APNSEnvironment? = nil) throws -> WorldStart? {
        var setup = WorldSetup()
        (setup.document, setup.environment) = (document, environment)
        let name = try #require(WorldName("orders"))
        return try WorldFile.Reader(GatewayConfiguration(), nil).start(of: name, setup, in: "g.sqlite")
    }

    @Test func `a world begins with what its file says, also once the time of a fault rule is over`() throws {
        let document = #"""
            {"seed":77,"clock":{"mode":"manual","now":"2026-11-21T07:00:00Z"},"devices":"strict","device-rate":"5/1m",
            "registered-devices":[{"topic":"com.example.agent","token":"ab12"}],"state":null,
            "faults":[{"effect":{"lose":true},"until":"2020-01-01T00:00:00Z"},{"effect":{"reset":7}}]}
            """#
        let start = try #require(try stored(document, environment: .production))
        #expect(start.settings.seed == 77 && start.settings.unknownDevices == .strict)
        #expect(start.settings.deviceRate == WorldSettings.DeviceRate(count: 5, period: 60_000))
        #expect(start.devices.map(\.token) == ["ab12"])
        #expect(start.devices.map(\.environment) == [.production], "the file names none, and the world has one")
        #expect(start.setup.document == document && start.setup.environment == .production)
        let world = try World(start, real: 0)
        #expect(world.activeFaults(real: 0).map(\.rule) == [FaultRule(.reset(code: 7, .before))])
    }

    @Test func `a world gets the fault rules that are for it`() throws {
        let document = #"""
            {"faults":[{"match":{"world":"other"},"effect":{"lose":true}},{"match":{"world":"orders"},"effect":{"reset":7}}]}
            """#
        #expect(try stored(document)?.faults.map(\.effect) == [.reset(code: 7, .before)])
    }

    @Test func `a fault rule has the id that its file gives it, and others have ids above`() throws {
        let document = #"""
            {"faults":[{"effect":{"reset":7}},{"id":"4","effect":{"lose":true}},{"effect":{"lose":true}}]}
            """#
        let start = try #require(try stored(document))
        for world in [try World(start, real: 0), World(resetting: start, real: 0)] {
            #expect(world.activeFaults(real: 0).map(\.id) == ["5", "4", "6"])
        }
    }

    @Test(
        arguments: [
            (#"{"id":"4","effect":{"lose":true}},{"id":"4","effect":{"lose":true}}"#, "is that of another fault rule"),
            (#"{"id":"0","effect":{"lose":true}}"#, "the id of a fault rule as a string"),
            (#"{"id":"9223372036854775807","effect":{"lose":true}}"#, "the id of a fault rule as a string"),
        ])
    func `an id that no fault rule can have is an error`(rules: String, says: String) throws {
        let error = #expect(throws: GatewayError.self) { try stored(#"{"faults":[\#(rules)]}"#) }
        #expect(error?.detail.contains(says) == true, "\(error?.detail ?? "")")
    }

    @Test func `a world that was not read from a file begins with what the configuration says`() throws {
        #expect(try stored(nil)?.settings.seed == nil)
    }

    @Test func `a file of another environment than the world has is an error that names both`() throws {
        let document = #"{"environment":"sandbox"}"#
        #expect(try stored(document, environment: .sandbox)?.setup.environment == .sandbox)
        let error = #expect(throws: GatewayError.self) { try stored(document, environment: .production) }
        #expect(error?.code == .badStore)
        #expect(error?.detail.contains("the world orders of g.sqlite was made of a file of") == true)
        #expect(error?.detail.contains("the environment sandbox, and it") == true)
        #expect(error?.detail.contains("would start with production") == true)
    }

    @Test func `a file that cannot be read any more is an error that names the world and the reason`() throws {
        let error = #expect(throws: GatewayError.self) {
            try stored(#"{"devices":"strict","registered-devices":[{"token":"ab12"}]}"#)
        }
        #expect(error?.code == .badStore)
        #expect(error?.detail.contains("the world orders of g.sqlite") == true)
        #expect(error?.detail.contains("registered-devices[0]: the key topic is missing") == true)
    }

    /// An export of a gateway with these credentials.
    private func export(of credentials: DevelopmentCredentials, revoked keyID: String? = nil) throws -> [UInt8] {
        var world = try World(GatewayConfiguration().worldStart(credentials), real: 0)
        if let keyID { _ = world.revokeKey(keyID) }
        let name = try #require(WorldName("orders"))
        return WorldDocument.json(world, name: name, environment: .sandbox, state: nil, real: 0).bytes
    }

    private func read(_ file: [UInt8], at credentials: DevelopmentCredentials) throws -> WorldStart {
        let name = try #require(WorldName("orders"))
        return try WorldFile.Reader(GatewayConfiguration(), credentials).read(file, for: name).start
    }

    @Test func `the own key of a file is revoked if the file says so, and is there once`() throws {
        let credentials = try DevelopmentCredentials.make()
        let keyID = credentials.keyID.value
        let start = try read(export(of: credentials, revoked: keyID), at: credentials)
        #expect(start.keys.map(\.keyID) == [keyID] && start.keys.map(\.isRevoked) == [true])
    }

    @Test func `a file of another gateway leaves a world that the own key can send to`() throws {
        let (credentials, other) = (try DevelopmentCredentials.make(), try DevelopmentCredentials.make())
        let there = try read(export(of: other), at: credentials)
        #expect(there.keys.map(\.keyID) == [credentials.keyID.value, other.keyID.value])
        #expect(there.apps.map(\.teamID) == [credentials.teamID.value])
        #expect(there.apps.map(\.capabilities) == [RegisteredApp.everyCapability])
        // And back again, though the file now has both keys.
        let world = try World(there, real: 0)
        let name = try #require(WorldName("orders"))
        let file = WorldDocument.json(world, name: name, environment: .sandbox, state: nil, real: 0).bytes
        let back = try read(file, at: other)
        #expect(back.keys.map(\.keyID) == [other.keyID.value, credentials.keyID.value])
        #expect(back.apps.map(\.teamID) == [other.teamID.value])
    }

    @Test func `a file that was written by hand says what team the own app has`() throws {
        let credentials = try DevelopmentCredentials.make()
        let file = #"{"apps":[{"topic":"com.example.agent","team-id":"ABCDE12345"}]}"#
        #expect(try read(Array(file.utf8), at: credentials).apps.map(\.teamID) == ["ABCDE12345"])
    }
}
