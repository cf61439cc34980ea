import ArgumentParser
import PushDispatch

/// `apns org call`: makes any call of the control API.
struct OrgCallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Calls the control API: faults, clock, limits, rights, sessions.",
        discussion: """
            EXAMPLES:
              apns org call POST clock/advance '{"by":"55m"}'
              apns org call POST faults \\
                '{"match":{"path":"/query"},"effect":{"refuse":{"status":503}},"count":1}'
              apns org call POST expire '{"user":"ada@example.com"}'
              apns org call GET devices

            docs/org.md lists the calls.

            \(ExitStatus.help)
            """)

    @Argument(help: "GET, POST, PUT, PATCH or DELETE.")
    var method: String
    @Argument(help: "The path after /simulator/, such as faults.")
    var path: String = ""
    @Argument(help: "The body, as JSON.")
    var body: String?
    @OptionGroup var endpoint: OrgEndpoint

    func validate() throws {
        guard ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method) else {
            throw ValidationError("\(PlainText.safe(method)) is not GET, POST, PUT, PATCH or DELETE")
        }
        guard path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw ValidationError("a path has no spaces; write them as %20")
        }
        _ = try json()
    }

    private func json() throws -> JSONValue? {
        guard let body else { return nil }
        do throws(JSONReadError) {
            return try JSONReader.read(Array(body.utf8), limits: .push)
        } catch {
            throw ValidationError("the body is \(error)")
        }
    }

    func run() async throws {
        // Pages and logs show the whole path.
        let path = path.hasPrefix("/simulator/") ? path.dropFirst("/simulator/".count) : path.drop { $0 == "/" }
        let answer = try await endpoint.call(method, String(path), try json())
        if answer != .null { Output.standard.result(String(decoding: answer.compactBytes, as: UTF8.self)) }
    }
}
