import APNSModel
import Foundation
import GatewayConfiguration
import GatewayTestSupport
import GatewayTesting
import TestSeeds
import Testing

@testable import GatewayCore
@testable import GatewayServer

/// Worlds as files, over the control API.
@Suite(.timeLimit(.minutes(10)))
struct WorldFilesTests {
    /// A gateway in which much has happened.
    private func withHistory(_ body: (TestGateway) async throws -> Void) async throws {
        try await withGateway(device: "ab12", devices: .open, clock: .manual(startingAt: nil), seed: 7) { gateway in
            for device in ["ab12", "ab12", "cd34"] { try await gateway.push(to: device) }
            let control = gateway.control
            _ = try await control.call("POST", "/api/apps", #"{"topic":"com.example.other","team-id":"ABCDE12345"}"#)
            _ = try await control.call(
                "POST", "/api/faults", #"{"effect":{"delay":"1h"},"match":{"token":"ffff"},"count":3}"#)
            _ = try await control.call("PATCH", "/api/devices/cd34", #"{"low-power":true}"#)
            _ = try await control.call("PATCH", "/api/settings", #"{"contested":{"malformed-json":"refuse"}}"#)
            try await body(gateway)
        }
    }

    private func withoutNames(_ file: String) throws -> NSDictionary {
        let json = try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any]
        var object = try #require(json)
        object["name"] = nil
        return object as NSDictionary
    }

    @Test func `an exported world that is imported is the same world`() async throws {
        try await withHistory { gateway in
            let control = gateway.control
            let file = try await control.call("GET", "/api/export").body
            let before = try await control.call("GET", "/api/notifications").body
            // Much else happens, and is gone after the import.
            _ = try await control.call("POST", "/api/reset")
            try await gateway.push(to: "ee55")
            let imported = try await control.call("POST", "/api/import", file)
            #expect(imported.status == 200, "\(imported.body)")
            #expect(try await control.call("GET", "/api/notifications").body == before)
            let again = try await control.call("GET", "/api/export").body
            #expect(try withoutNames(again) == withoutNames(file))
            #expect(try await control.call("GET", "/api/devices/ee55").status == 404)
            #expect(try await control.call("GET", "/api/devices/cd34").json["low-power"] as? Bool == true)
            // The world goes on: credentials are good, ids continue.
            #expect(try await gateway.push(to: "ab12").isAccepted)
            #expect(try await control.call("GET", "/api/notifications?limit=1").json["total"] as? Int == 4)
        }
    }

    @Test func `a new world is made of a file or of another world`() async throws {
        try await withHistory { gateway in
            let control = gateway.control
            let file = try await control.call("GET", "/api/export").body
            let made = try await control.call("POST", "/api/worlds", #"{"name":"first","from":\#(file)}"#)
            #expect(made.status == 201 && made.json["notifications"] as? Int == 3, "\(made.body)")
            let copied = try await control.call("POST", "/api/worlds", #"{"name":"second","from":"first"}"#)
            #expect(copied.status == 201 && copied.json["devices"] as? Int == 2)
            let second = try await control.call("GET", "/w/second/api/export").body
            #expect(try withoutNames(second) == withoutNames(file))
            // The copy is a world of its own.
            _ = try await control.call("DELETE", "/w/second/api/notifications")
            #expect(try await control.call("GET", "/w/first/api/notifications").json["total"] as? Int == 3)
            let unknown = try await control.call("POST", "/api/worlds", #"{"name":"third","from":"none"}"#)
            #expect(unknown.status == 404)
            let both = try await control.call("POST", "/api/worlds", #"{"name":"third","from":"first","seed":1}"#)
            #expect(both.status == 400 && both.body.contains("seed"))
        }
    }

    /// The apps and keys of a file.
    private func registry(of file: String) throws -> Substring {
        try #require(file.firstMatch(of: /"apps":.*?"faults":/)).output
    }

    @Test(arguments: ["true", "false"])
    func `an import and a copy have the gateway's own key and app as they were`(state: String) async throws {
        try await withGateway { gateway in
            let control = gateway.control
            let made = try await control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
            #expect(made.status == 201, "\(made.body)")
            _ = try await control.call(
                "POST", "/w/orders/api/apps",
                #"{"topic":"com.example.agent","team-id":"ABCDE12345","capabilities":["push"]}"#)
            let keys = try await control.call("GET", "/w/orders/api/keys").json["keys"] as? [[String: Any]]
            let key = try #require(keys?.first?["key-id"] as? String)
            let revoked = try await control.call("DELETE", "/w/orders/api/keys/\(key)")
            #expect(revoked.status == 204 || revoked.status == 200, "\(revoked.body)")
            let file = try await control.call("GET", "/w/orders/api/export?state=\(state)").body
            #expect(file.contains(#""revoked":true"#) && file.contains(#""team-id":"ABCDE12345""#))
            _ = try await control.call("POST", "/api/worlds", #"{"name":"copied","from":"orders"}"#)
            _ = try await control.call("POST", "/api/worlds", #"{"name":"read","from":\#(file)}"#)
            let imported = try await control.call("POST", "/w/orders/api/import", file)
            #expect(imported.status == 200, "\(imported.body)")
            for world in ["orders", "copied", "read"] {
                for _ in 1...2 {
                    let again = try await control.call("GET", "/w/\(world)/api/export?state=\(state)").body
                    #expect(try registry(of: again) == registry(of: file))
                    _ = try await control.call("POST", "/w/\(world)/api/reset")
                }
            }
        }
    }

    @Test(arguments: ["true", "false"])
    func `an import and a copy have fault rules by their ids, and give none again`(state: String) async throws {
        try await withGateway(devices: .open) { gateway in
            let control = gateway.control
            func add(_ token: String, in world: String = "default") async throws -> String? {
                let rule = #"{"effect":{"lose":true},"match":{"token":"\#(token)"},"count":1}"#
                return try await control.call("POST", "/w/\(world)/api/faults", rule).json["id"] as? String
            }
            func ids(_ world: String) async throws -> [String?] {
                let rules = try await control.call("GET", "/w/\(world)/api/faults").json["faults"]
                return (rules as? [[String: Any]] ?? []).map { $0["id"] as? String }
            }
            for token in ["ab12", "cd34", "ee55", "ff66"] { _ = try await add(token) }
            for token in ["ab12", "ee55"] { try await gateway.push(to: token) }
            #expect(try await ids("default") == ["2", "4"])
            let file = try await control.call("GET", "/api/export?state=\(state)").body
            let imported = try await control.call("POST", "/api/import", file)
            #expect(imported.status == 200, "\(imported.body)")
            _ = try await control.call("POST", "/api/worlds", #"{"name":"read","from":\#(file)}"#)
            _ = try await control.call("POST", "/api/worlds", #"{"name":"copied","from":"read"}"#)
            for world in ["default", "read", "copied"] {
                #expect(try await ids(world) == ["2", "4"])
                let removed = try await control.call("DELETE", "/w/\(world)/api/faults/2")
                #expect(removed.status == 204)
                #expect(try await ids(world) == ["4"])
                #expect(try await add("ab12", in: world) == "5")
                _ = try await control.call("POST", "/w/\(world)/api/reset")
                #expect(try await ids(world) == ["2", "4"])
            }
        }
    }

    @Test func `an id of a fault rule that is gone is not given again after an import`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            let rule = #"{"effect":{"lose":true}}"#
            for _ in 1...2 { _ = try await control.call("POST", "/api/faults", rule) }
            _ = try await control.call("DELETE", "/api/faults")
            let file = try await control.call("GET", "/api/export").body
            _ = try await control.call("POST", "/api/import", file)
            #expect(try await control.call("POST", "/api/faults", rule).json["id"] as? String == "3")
        }
    }

    @Test func `without state the devices are listed, and a reset leads to them`() async throws {
        try await withHistory { gateway in
            let control = gateway.control
            let file = try await control.call("GET", "/api/export?state=false").body
            let devices = try withoutNames(file)["registered-devices"] as? [[String: Any]]
            #expect(devices?.map { $0["token"] as? String } == ["ab12", "cd34"])
            _ = try await control.call("POST", "/api/worlds", #"{"name":"first","from":\#(file)}"#)
            _ = try await control.call("DELETE", "/w/first/api/devices/cd34")
            _ = try await control.call("POST", "/w/first/api/reset")
            let device = try await control.call("GET", "/w/first/api/devices/cd34").json
            #expect(device["low-power"] as? Bool == true && device["installed"] as? Bool == true)
            #expect(try await control.call("GET", "/w/first/api/settings").body.contains(#""malformed-json":"refuse""#))
        }
    }

    @Test func `a world with many devices is exported and imported, with state and without`() async throws {
        try await withGateway(clock: .manual()) { gateway in
            let control = gateway.control
            // More than a configuration file can have.
            let devices = (0..<10_000).map { number in
                let token = String(repeating: "0", count: 58) + String(100_000 + number)
                return #"{"topic":"com.example.agent","token":"\#(token)","environment":"sandbox","kind":"app"}"#
            }
            let file = #"{"apns-world":1,"registered-devices":[\#(devices.joined(separator: ","))]}"#
            let imported = try await control.call("POST", "/api/import", file)
            #expect(imported.status == 200 && imported.json["devices"] as? Int == 10_000, "\(imported.body)")
            for (state, name) in [("false", "listed"), ("true", "stated")] {
                let exported = try await control.call("GET", "/api/export?state=\(state)").body
                #expect(exported.utf8.count > 1 << 20)
                let made = try await control.call("POST", "/api/worlds", #"{"name":"\#(name)","from":\#(exported)}"#)
                #expect(made.status == 201 && made.json["devices"] as? Int == 10_000, "\(made.body)")
                let again = try await control.call("GET", "/w/\(name)/api/export?state=\(state)").body
                #expect(try withoutNames(again) == withoutNames(exported))
            }
        }
    }

    @Test func `of very many errors in a file the first are named and the others counted`() async throws {
        try await withGateway { gateway in
            let devices = (0..<1000).map { #"{"topic":"com.example.agent","tokn\#($0)":"ab"}"# }.joined(
                separator: ",\n")
            let answer = try await gateway.control.call("POST", "/api/import", #"{"registered-devices":[\#(devices)]}"#)
            #expect(answer.status == 400)
            #expect(answer.body.contains("line 2, column 30: registered-devices[1].tokn1"), "\(answer.body)")
            #expect(answer.body.contains("and 995 more"), "\(answer.body)")
        }
    }

    @Test func `errors in a file are named in the order of their places`() async throws {
        try await withGateway { gateway in
            let file = #"{"registered-devices":[{"topic":"com.example.agent","tokn":"ab"}],"#
            let answer = try await gateway.control.call("POST", "/api/import", file + "\n" + #""devices":"strickt"}"#)
            #expect(answer.status == 400)
            let first = try #require(answer.body.range(of: "line 1, column 53: registered-devices[0].tokn"))
            let second = try #require(answer.body.range(of: "line 2, column 11: devices"))
            #expect(first.lowerBound < second.lowerBound)
        }
    }

    @Test func `a file that is wrong says where, and changes nothing`() async throws {
        try await withHistory { gateway in
            let control = gateway.control
            let before = try await control.call("GET", "/api/export").body
            let cases = [
                (#"{"apps":[{"topic":"a"}]}"#, "team-id"), (#"{"app":[]}"#, "apps"), ("[]", "object"), ("{", "JSON"),
                (#"{"apns-world":2}"#, "version"),
                (#"{"name":{}}"#, "name of a world"), (#"{"name":"a_b"}"#, "name of a world"),
                (#"{"keys":[{"file":"/etc/passwd","team-id":"ABCDE12345"}]}"#, "another file"),
                (#"{"faults":"/etc/passwd"}"#, "another file"), (#"{"state":{}}"#, "lacks"), (#"{"state":7}"#, "state"),
                (#"{"state":{"clock":5}}"#, "state.clock"), (#"{"state":{"clock":5}}"#, "is of another kind"),
            ]
            for (file, says) in cases {
                let answer = try await control.call("POST", "/api/import", file)
                #expect(answer.status == 400 && answer.body.contains(says), "\(file): \(answer.body)")
            }
            let production = try await control.call("POST", "/api/import", #"{"environment":"production"}"#)
            #expect(production.status == 409)
            #expect(try await control.call("GET", "/api/export").body == before)
        }
    }

    private static let rules = #"""
        {"faults":[
        {"match":{"world":"other"},"effect":{"refuse":{"reason":"TooManyRequests"}}},
        {"match":{"world":"first","token":"ab12"},"effect":{"lose":true}},
        {"match":{"world":"default","token":"ab12"},"effect":{"lose":true}},
        {"match":{"token":"cd34"},"effect":{"lose":true}}]}
        """#

    @Test func `a file of a world has fault rules for this world alone, and a copy keeps them`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            /// The device tokens of the rules; nil for a rule without one.
            func matches(_ world: String) async throws -> [String?] {
                let found = try await control.call("GET", "/w/\(world)/api/faults").json["faults"]
                let rules = (found as? [[String: Any]] ?? []).map { $0["match"] as? [String: Any] }
                return rules.map { $0?["token"] as? String }
            }
            let made = try await control.call("POST", "/api/worlds", #"{"name":"first","from":\#(Self.rules)}"#)
            #expect(made.status == 201, "\(made.body)")
            #expect(try await control.call("POST", "/api/import", Self.rules).status == 200)
            #expect(try await matches("first") == ["ab12", "cd34"])
            #expect(try await matches("default") == ["ab12", "cd34"])
            let file = try await control.call("GET", "/w/first/api/export").body
            #expect(!file.contains(#""world""#))
            _ = try await control.call("POST", "/api/worlds", #"{"name":"second","from":"first"}"#)
            _ = try await control.call("POST", "/api/worlds", #"{"name":"third","from":\#(file)}"#)
            for world in ["second", "third"] {
                #expect(try await matches(world) == ["ab12", "cd34"])
                _ = try await control.call("POST", "/w/\(world)/api/reset")
                #expect(try await matches(world) == ["ab12", "cd34"])
            }
        }
    }

    @Test func `an export whose fault rule has ended meanwhile can be imported, and has the others`() async throws {
        try await withGateway { gateway in
            let over = #"{"effect":{"lose":true},"until":"2020-01-01T00:00:00Z"}"#
            let file = #"{"faults":[\#(over),{"effect":{"reset":7},"match":{"token":"cd34"}}]}"#
            let calls = [("/api/import", file), ("/api/worlds", #"{"name":"first","from":\#(file)}"#)]
            for (path, body) in calls {
                let answer = try await gateway.control.call("POST", path, body)
                #expect([200, 201].contains(answer.status), "\(answer.body)")
                #expect(answer.json["faults"] as? Int == 1)
            }
            let state = try await gateway.control.call("GET", "/api/export").body
            let stated = state.replacing(#""faults":["#, with: #""faults":[\#(over),"#)
            let again = try await gateway.control.call("POST", "/api/import", stated)
            #expect(again.status == 200 && again.json["faults"] as? Int == 1, "\(again.body)")
            // A rule that is added now must have time left.
            let late = try await gateway.control.call("POST", "/api/faults", over)
            #expect(late.status == 400 && late.body.contains("until"), "\(late.body)")
        }
    }

    /// A file is input like any other: whatever its numbers are, the gateway refuses it or goes on with it.
    @Test(arguments: TestSeed.all([1, 2, 3]))
    func `no number in a file stops the gateway`(seed: TestSeed) async throws {
        try await withHistory { gateway in
            let control = gateway.control
            let file = try await control.call("GET", "/api/export").body
            var generator = seed.generator
            let numbers = file.matches(of: /[:,\[]([0-9]+)(?=[,}\]])/).map {
                $0.output.1.startIndex..<$0.output.1.endIndex
            }
            let extremes = [
                "-1", "0", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "4611686018427387904",
            ]
            var accepted = 0
            for _ in 0..<40 {
                var changed = file
                let place = try #require(numbers.randomElement(using: &generator))
                changed.replaceSubrange(place, with: try #require(extremes.randomElement(using: &generator)))
                let answer = try await control.call("POST", "/api/import", changed)
                #expect([200, 400, 507].contains(answer.status), "\(answer.body)")
                guard answer.status == 200 else { continue }
                accepted += 1
                try await gateway.push(to: "ab12")
                _ = try await control.call("POST", "/api/devices", #"{"topic":"com.example.agent"}"#)
                _ = try await control.call("PATCH", "/api/devices/cd34", #"{"online":false}"#)
                _ = try await control.call("POST", "/api/clock/advance", #"{"by":"30d"}"#)
                #expect(try await control.call("GET", "/api/export").status == 200)
                #expect(try await control.call("GET", "/api/notifications").status == 200)
            }
            #expect(accepted > 0)
        }
    }

    private static let settings = #"""
        {"seed":9,"clock":{"mode":"manual","now":"2026-11-21T07:00:00Z"},"devices":"strict","device-rate":"5/1m",
        "budgets":{"silent":"9/1h"},"contested":{"malformed-json":"refuse"},"retain":77,"limits":{"apps":55},
        "apps":[{"topic":"com.example.other","team-id":"ABCDE12345"}],
        "registered-devices":[{"topic":"com.example.other","token":"ab12"}],
        "faults":[{"match":{"token":"ffff"},"effect":{"lose":true}}]}
        """#

    @Test(arguments: ["default", "alpha"])
    func `what is imported into a world of the configuration is there after a restart and a reset`(
        world: String
    ) async throws {
        let alpha = try #require(WorldName("alpha"))
        func configure(_ configuration: inout GatewayConfiguration) {
            configuration.seed = 7
            configuration.overridesStoredClock = true
            configuration.namedWorlds = [.init(name: alpha, configuration: configuration)]
        }
        try await withFolder { folder in
            let store = folder + "/store.sqlite"
            let path = "/w/\(world)/api"
            var before = ""
            try await withStoredGateway(store, configure) { gateway in
                let imported = try await gateway.control.call("POST", "\(path)/import", Self.settings)
                #expect(imported.status == 200, "\(imported.body)")
                before = try await gateway.control.call("GET", "\(path)/export?state=false").body
                #expect(before.contains(#""retain":77"#) && before.contains(#""device-rate":"5/1m""#))
            }
            try await withStoredGateway(store, configure) { gateway in
                for _ in 1...2 {
                    let after = try await gateway.control.call("GET", "\(path)/export?state=false").body
                    #expect(try withoutNames(after) == withoutNames(before))
                    #expect(try await gateway.control.call("POST", "\(path)/reset").status == 204)
                }
            }
        }
    }

    @Test func `an imported world is the same after a restart`() async throws {
        try await withFolder { folder in
            var file = ""
            try await withHistory { file = try await $0.control.call("GET", "/api/export").body }
            let store = folder + "/store.sqlite"
            var before = ""
            try await withStoredGateway(store) { gateway in
                let made = try await gateway.control.call("POST", "/api/worlds", #"{"name":"first","from":\#(file)}"#)
                #expect(made.status == 201, "\(made.body)")
                before = try await gateway.control.call("GET", "/w/first/api/export").body
            }
            try await withStoredGateway(store) { gateway in
                let after = try await gateway.control.call("GET", "/w/first/api/export").body
                #expect(try withoutNames(after) == withoutNames(before))
                _ = try await gateway.control.call("POST", "/w/first/api/reset")
                let settings = try await gateway.control.call("GET", "/w/first/api/settings").body
                #expect(settings.contains(#""malformed-json":"refuse""#))
            }
        }
    }
}
