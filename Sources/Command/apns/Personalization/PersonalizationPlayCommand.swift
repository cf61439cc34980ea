import APNSModel
import AppPlay
import ArgumentParser
import DeviceSimulator
import Foundation
import PersonalizationPlay
import PushDispatch

/// `apns personalization play`: runs the library for apps against a decision service.
struct PersonalizationPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a script with the library for apps on virtual time against a decision service.",
        discussion: """
            Each line of the script is a step, and has one line of result. Virtual time runs with real time while a \
            request is under way; otherwise only the step "advance" moves it. Each run is a new device.

            STEPS
              {"do":"configure","data-space":"default","session-timeout":600}
              {"do":"consent","value":"opt-in"}         also opt-out, pending
              {"do":"fetch","points":["home_hero"],"timeout":10}
              {"do":"appear","point":"home_hero","item":0}   also tap, dismiss
              {"do":"identify","user-id":"u-1001","email":"kim@example.com"}
              {"do":"log-out"}
              {"do":"open-push","payload":{"type":"PERSONALIZED"}}
              {"do":"route","url":"https://www.example.com/c/kettles"}
              {"do":"online","value":false}
              {"do":"background"}                       also foreground
              {"do":"advance","by":"601s"}              lets virtual time pass
              {"do":"kill"}                             storage stays
              {"do":"flush"}                            sends what is kept
              {"do":"queue"}                            shows what is kept
              {"do":"wait"}                             for what is under way

            EXAMPLE
              apns personalization                                  # in one terminal
              apns personalization play Examples/personalization/1-push-opened.ndjson \\
                --expect Examples/personalization/1-push-opened.expected.ndjson \\
                --url http://127.0.0.1:8446                         # in another

            docs/personalization.md has all keys of the steps and of the results.

            ENVIRONMENT: \(PersonalizationCommand.controlTokenVariable) is the token of the service, where it has one.

            EXIT STATUS: 0 all steps were done, or with --expect all results are as expected; 1 a step was not done, or \
            a result is not as expected; 2 the script cannot be read, no service answers, or the play was stopped; 64 bad \
            arguments.
            """)

    @OptionGroup var options: ScriptOptions

    func validate() throws {
        guard ControlEndpoint(url: options.url)?.path == "" else {
            throw ValidationError(
                "--url \(options.url): it must be a URL like http://127.0.0.1:\(PersonalizationCommand.defaultPort)")
        }
    }

    func run() async throws {
        let steps = try options.steps(PersonalizationAction.self)
        let expectations = try options.expectations()
        let service = try await PersonalizationHealth.ask(options.url)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-play-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("no folder for the app's files can be made at \(folder.path); set TMPDIR to another one")
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let loop = PlayLoop()
        let run = PlayRun(PersonalizationApp(service, folder: folder, on: loop), on: loop)
        let script = ScriptRun(options: options, steps: steps, expectations: expectations, run: run)
        let result: Result<ExitStatus, CommandError>
        do throws(CommandError) { result = .success(try await script.play()) } catch { result = .failure(error) }
        await run.end()
        try result.get().end()
    }
}

/// What a decision service tells about itself.
enum PersonalizationHealth {
    /// - Parameter url: An address without a path.
    static func ask(_ url: String) async throws(CommandError) -> PersonalizationEndpoint {
        let token = System.environment(PersonalizationCommand.controlTokenVariable)
        guard let endpoint = ControlEndpoint(url: url, token: token) else {
            throw CommandError("\(url) is not the address of a service")
        }
        let response: ControlClient.Response
        do {
            response = try await ControlClient(endpoint: endpoint).call(method: "GET", "/health")
        } catch let error as DeviceError where error.code == .unreachable {
            throw CommandError(
                "no decision service answers at \(endpoint): is it running? Start it with: \(ShellText.command) "
                    + "personalization")
        } catch {
            throw CommandError("\(endpoint) does not answer as a decision service: \(error)")
        }
        guard response.status != 401 else {
            throw CommandError(
                "the service at \(endpoint) has a control token; set \(PersonalizationCommand.controlTokenVariable) to it"
            )
        }
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 16, maximumValues: 10_000)
        let facts = try? JSONReader.read(response.body, limits: limits).object
        guard let source = facts?["app-source-id"]?.string, let now = facts?["clock"]?.object?["now"]?.string,
            let milliseconds = TimeText.milliseconds(ofTime: now)
        else {
            throw CommandError(
                "what answers at \(endpoint) is not a decision service; start one with: \(ShellText.command) "
                    + "personalization")
        }
        let slash = url.hasSuffix("/") ? String(url.dropLast()) : url
        return PersonalizationEndpoint(url: slash, appSourceID: source, milliseconds: milliseconds)
    }
}
