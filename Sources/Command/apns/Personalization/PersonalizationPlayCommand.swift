import AppPlay
import ArgumentParser
import DeviceSimulator
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
        let service = PlayedService(
            name: "decision service", article: "a", command: "personalization",
            tokenVariable: PersonalizationCommand.controlTokenVariable)
        let health = try await service.health(options.url, keys: ["app-source-id"])
        let endpoint = PersonalizationEndpoint(
            url: health.url, appSourceID: health.facts["app-source-id"]?.string ?? "",
            milliseconds: health.milliseconds)
        let loop = PlayLoop()
        try await PlayedSession.play(options, steps: steps, expectations: expectations, on: loop) { folder in
            PersonalizationApp(endpoint, folder: folder, on: loop)
        }
    }
}
