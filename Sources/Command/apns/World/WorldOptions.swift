import ArgumentParser
import ConfigurationText
import DeviceSimulator
import Foundation
import GatewayCore
import GatewayJSON
import PayloadJSON

/// The options that all subcommands of `apns world` have.
struct WorldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the control API of the gateway, or \(LocalGatewayName.help) (default: local).",
            valueName: "url"), completion: .gateways)
    var control: String?
    @Option(
        help: ArgumentHelp(
            "The bearer token of the control API, or of the world, where one is needed (default: \(tokenVariable)).",
            valueName: "token"))
    var controlToken: String?

    static let tokenVariable = "APNS_GATEWAY_CONTROL_TOKEN"
    static let environmentHelp = "ENVIRONMENT: \(tokenVariable) is used when --control-token is absent."

    /// - Parameter name: The world that calls are about; nil for the default one.
    func control(of name: String? = nil) throws -> WorldControl {
        let local = try LocalControl.find(control)
        let token = controlToken ?? ProcessInfo.processInfo.environment[WorldOptions.tokenVariable]
        guard var endpoint = ControlEndpoint(url: local.url, token: token) else {
            throw CommandError(
                "\(PlainText.safe(local.url)) is not the URL of a control API; the form is http://127.0.0.1:8444",
                .badArguments)
        }
        if let name { endpoint.path = "/w/\(try WorldOptions.name(name))" }
        return WorldControl(client: ControlClient(endpoint: endpoint))
    }

    static func name(_ text: String) throws -> WorldName {
        guard let name = WorldName(text) else {
            throw CommandError(
                "\(PlainText.safe(text)) cannot be the name of a world: \(WorldName.form)", .badArguments)
        }
        return name
    }

    /// A file with a world.
    static func file(_ path: String) throws(CommandError) -> WorldInput {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: path, limit: WorldDocument.maximumBytes)
        }
        do throws(ConfigurationError) {
            return try WorldInput(bytes, name: path == "-" ? InputFile.standardInputName : path)
        } catch {
            throw CommandError(PlainText.safe(error.description))
        }
    }

    static func object(_ fill: (inout JSONText) -> Void) -> [UInt8] { JSONText.object(fill).bytes }
}

/// The control API of a gateway, or of one world in it.
struct WorldControl: Sendable {
    let client: ControlClient

    /// Makes one call.
    ///
    /// - Parameters:
    ///   - query: A value of nil is left out.
    ///   - input: The file that is in the body.
    /// - Returns: The answer.
    /// - Throws: What the gateway refused, with the exit status for it.
    func call(
        _ method: String, _ path: String, query: [(name: String, value: String?)] = [], body: [UInt8]? = nil,
        of input: WorldInput? = nil
    ) async throws -> String {
        let target = WorldControl.target(path, query)
        let response: ControlClient.Response
        do {
            response = try await client.call(method: method, target, body: body, limit: WorldDocument.maximumBytes)
        } catch let error as DeviceError {
            throw CommandError(PlainText.safe(error.detail))
        }
        try check(response, input)
        return String(decoding: response.body, as: UTF8.self)
    }

    /// Makes a call with `GET`, whose answer may have any length.
    ///
    /// - Parameter receive: Gets the answer in pieces.
    func download(
        _ path: String, query: [(name: String, value: String?)], receive: ([UInt8]) -> Void
    ) async throws {
        let response: ControlClient.Response
        do {
            response = try await client.download(WorldControl.target(path, query), receive: receive)
        } catch let error as DeviceError {
            throw CommandError(PlainText.safe(error.detail))
        }
        try check(response)
    }

    private func check(_ response: ControlClient.Response, _ input: WorldInput? = nil) throws(CommandError) {
        guard !(200...299).contains(response.status) else { return }
        let detail = client.refusal(response).detail
        guard response.status == 400, let input else { throw CommandError(PlainText.safe(detail), .no) }
        throw CommandError(input.refusal(detail), .no)
    }

    private static func target(_ path: String, _ query: [(name: String, value: String?)]) -> String {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

/// One page of `GET /api/worlds`.
struct WorldList: Decodable {
    struct World: Decodable {
        let name: String
        let environment: String
        let notifications: Int
        let devices: Int
        let heldBytes: Int
        let idleSeconds: Int

        enum CodingKeys: String, CodingKey {
            case name, environment, notifications, devices
            case heldBytes = "held-bytes"
            case idleSeconds = "idle-seconds"
        }

        var text: String {
            "\(name): \(environment), \(notifications) notifications, \(devices) devices, \(heldBytes / 1024) KiB, "
                + "idle for \(idleSeconds) s"
        }

        var json: String {
            let text = JSONText.object { object in
                object.add("name", name)
                object.add("environment", environment)
                object.add("notifications", notifications)
                object.add("devices", devices)
                object.add("held-bytes", heldBytes)
                object.add("idle-seconds", idleSeconds)
            }
            return String(decoding: text.bytes, as: UTF8.self)
        }
    }

    let worlds: [World]
    let next: String?

    init(_ answer: String) throws {
        do {
            self = try JSONDecoder().decode(WorldList.self, from: Data(answer.utf8))
        } catch {
            throw CommandError("the gateway's list of worlds cannot be read; is it of another version?")
        }
    }
}
