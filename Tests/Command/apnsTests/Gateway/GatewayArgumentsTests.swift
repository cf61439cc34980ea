import ArgumentParser
import Foundation
import GatewayConfiguration
import Testing

@testable import apns

struct GatewayArgumentsTests {
    private static func arguments(
        _ words: [String], _ environment: [String: String]
    ) throws -> (arguments: GatewayArguments, notes: [String]) {
        var notes: [String] = []
        let arguments = try GatewayArguments(GatewayCommand.parse(words), environment: environment) { notes.append($0) }
        return (arguments, notes)
    }

    private static func configuration(
        _ words: [String], _ environment: [String: String], over file: GatewayConfiguration = GatewayConfiguration()
    ) throws -> GatewayConfiguration {
        try arguments(words, environment).arguments.configuration(over: file)
    }

    @Test(arguments: GatewaySetting.all.compactMap(\.option).filter { !["key", "team-id", "replay"].contains($0) })
    func `the variable of an option is the same as the option`(option: String) throws {
        let sample = try #require(GatewaySettingsTests.samples[option])
        let setting = try #require(GatewaySetting.named(option: option))
        let variable = try #require(setting.variable)
        let (arguments, _) = try Self.arguments([], [variable: sample.first ?? "true"])
        #expect(arguments.given == [setting])
    }

    @Test func `an option wins over its variable, and a variable over the file`() throws {
        var file = GatewayConfiguration()
        (file.host, file.port, file.controlPort) = ("::1", 1, 1)
        let environment = ["APNS_GATEWAY_PORT": "2", "APNS_GATEWAY_CONTROL_PORT": "2"]
        let configuration = try Self.configuration(["--port", "3"], environment, over: file)
        #expect(configuration.host == "::1" && configuration.controlPort == 2 && configuration.port == 3)
    }

    @Test func `the time to stop comes from its option, its variable and the file`() throws {
        var file = GatewayConfiguration()
        file.grace = .seconds(1)
        #expect(try Self.configuration([], [:], over: file).grace == .seconds(1))
        #expect(try Self.configuration([], ["APNS_GATEWAY_GRACE": "2s"], over: file).grace == .seconds(2))
        #expect(try Self.configuration(["--grace", "3s"], ["APNS_GATEWAY_GRACE": "2s"]).grace == .seconds(3))
    }

    @Test func `names and webhooks of option, variable and file add up`() throws {
        var file = GatewayConfiguration()
        file.names = ["one"]
        let configuration = try Self.configuration(["--name", "three"], ["APNS_GATEWAY_NAME": "two"], over: file)
        #expect(configuration.names == ["one", "two", "three"])
    }

    @Test func `keys and team ids of variables belong together`() throws {
        let error = #expect(throws: CommandError.self) {
            try Self.arguments([], ["APNS_GATEWAY_KEY": "AuthKey_ABC123DEFG.p8"])
        }
        #expect(error?.message.contains("each key needs the team") == true, "\(error?.message ?? "")")
    }

    @Test func `an error names the variable`() {
        let error = #expect(throws: CommandError.self) {
            try Self.arguments([], ["APNS_GATEWAY_HOST": "::1", "APNS_GATEWAY_PORT": "http"])
        }
        #expect(error?.message.hasPrefix("APNS_GATEWAY_PORT: ") == true, "\(error?.message ?? "")")
        #expect(error?.status == .badArguments)
    }

    @Test func `a misspelt variable is noted`() throws {
        let notes = try Self.arguments([], ["APNS_GATEWAY_PROT": "1"]).notes
        #expect(notes == ["APNS_GATEWAY_PROT is set, but belongs to no option of apns gateway"])
    }

    @Test func `a control token that other users can read is noted`() throws {
        let token = "0123456789abcdef"
        let notes = try Self.arguments(["--control-token", token], [:]).notes
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("other users of this machine can read the options of a command") == true)
        #expect(notes.first?.contains(token) == false)
        #expect(try Self.arguments([], ["APNS_GATEWAY_CONTROL_TOKEN": token]).notes.isEmpty)
        #expect(try Self.arguments(["--control-token-file", "token"], [:]).notes.isEmpty)
    }

    @Test(arguments: [(0o644, true), (0o640, false)])
    func `a file with a control token that everybody can read is noted`(mode: Int, isNoted: Bool) throws {
        try withTemporaryFile("0123456789abcdef\n") { path in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            // Every user can read a link, which says nothing about what it leads to.
            let link = path + "-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            for file in [path, link] {
                for notes in [
                    try Self.arguments(["--control-token-file", file], [:]).notes,
                    try Self.arguments([], ["APNS_GATEWAY_CONTROL_TOKEN_FILE": file]).notes,
                ] {
                    #expect(notes.count == (isNoted ? 1 : 0))
                    #expect(notes.allSatisfy { $0.hasPrefix("\(file) holds a control token") }, "\(notes)")
                }
            }
        }
    }

    @Test func `the control token comes from a file, and the option wins over the variable`() throws {
        try withTemporaryFile("0123456789abcdef\n") { path in
            let file = try Self.configuration(["--control-token-file", path], [:])
            #expect(file.controlToken == "0123456789abcdef")
            let both = try Self.configuration(
                ["--control-token-file", path], ["APNS_GATEWAY_CONTROL_TOKEN": "another-token-123"])
            #expect(both.controlToken == "0123456789abcdef")
        }
        let missing = #expect(throws: CommandError.self) {
            try Self.configuration(["--control-token-file", "/none"], [:])
        }
        #expect(missing?.message.contains("/none") == true)
    }
}
