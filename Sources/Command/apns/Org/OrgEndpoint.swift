import ArgumentParser
import DeviceSimulator
import PushDispatch

/// How the subcommands reach an org that runs.
struct OrgEndpoint: ParsableArguments {
    static let usualPort = 8446
    static let version = "v66.0"
    static let leastTokenBytes = 16

    @Option(help: ArgumentHelp("Where the org runs.", valueName: "url"))
    var at = "http://127.0.0.1:\(OrgEndpoint.usualPort)"

    func validate() throws {
        guard ControlEndpoint(url: at) != nil else {
            throw ValidationError("--at \(at): a URL like http://127.0.0.1:\(OrgEndpoint.usualPort) is wanted")
        }
    }

    /// Calls the control API; the token of the environment goes along where there is one.
    ///
    /// - Returns: The answer's JSON; null for an answer without a body.
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        guard let endpoint = ControlEndpoint(url: at, token: System.environment("APNS_ORG_CONTROL_TOKEN")) else {
            return .null
        }
        let response: ControlClient.Response
        do {
            response = try await ControlClient(endpoint: endpoint).call(
                method: method, "/simulator/\(path)", body: body?.compactBytes)
        } catch let error as DeviceError where error.code == .unreachable {
            throw CommandError(
                "nobody answers at \(endpoint), or not well: is the org running? Start it with: \(ShellText.command) org"
            )
        } catch let error as DeviceError {
            throw CommandError(error.detail)
        }
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 200_000)
        let json = response.body.isEmpty ? .null : try? JSONReader.read(response.body, limits: limits)
        guard let json else {
            throw CommandError("\(endpoint) answered with something other than JSON: is it an org?")
        }
        guard (200..<300).contains(response.status) else {
            let detail = json.object?["detail"]?.string ?? "no reason given"
            throw CommandError(PlainText.safe("the org answered \(response.status): \(detail)"), .no)
        }
        return json
    }
}
