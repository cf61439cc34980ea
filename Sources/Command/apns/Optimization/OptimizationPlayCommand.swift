import AppPlay
import ArgumentParser
import DeviceSimulator
import OptimizationPlay
import PushDispatch

/// `apns optimization play`: runs the library for apps against the optimization services.
struct OptimizationPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a script with the library for apps on virtual time against the optimization services.",
        discussion: """
            Each line of the script is a step, and has one line of result. Virtual time runs with real time while a \
            request is under way; otherwise only the step "advance" moves it. Each run is a new device.

            STEPS
              {"do":"configure","generation":"first"}   starts a process of the app
              {"do":"initialize"}                       also destroy, reset
              {"do":"consent","value":true}
              {"do":"identify","userId":"u-1001","traits":{"plan":"gold"}}
              {"do":"screen","name":"Home"}             also page
              {"do":"resolve","entry":"hero"}           what is shown, and why
              {"do":"visible","entry":"hero","ratio":0.8}    also tap
              {"do":"track-view","componentId":"hero"}  also track-click
              {"do":"live-updates","value":true}        the app's setting
              {"do":"entry-live-updates","entry":"hero","value":null}
              {"do":"flag","key":"short-checkout"}
              {"do":"merge-tag","entry":"tag-1"}
              {"do":"panel","open":true}                the preview panel
              {"do":"override-audience","id":"gold","qualified":true}
              {"do":"override-variant","experienceId":"exp-1","index":1}
              {"do":"reset-audience","id":"gold"}       also reset-variant, reset-overrides
              {"do":"preview-state"}                    also state
              {"do":"online","value":false}
              {"do":"background"}                       also foreground
              {"do":"advance","by":"12s"}               lets virtual time pass
              {"do":"kill"}                             storage stays
              {"do":"flush"}                            sends what is kept
              {"do":"queue"}                            shows what is kept
              {"do":"wait"}                             for what is under way

            EXAMPLE
              apns optimization                                     # in one terminal
              apns optimization play Examples/optimization/6-views.ndjson \\
                --expect Examples/optimization/6-views.expected.ndjson \\
                --url http://127.0.0.1:8447                         # in another

            docs/optimization.md has all keys of the steps and of the results.

            ENVIRONMENT: \(OptimizationRunCommand.controlTokenVariable) is the token of the services, where they have one.

            EXIT STATUS: 0 all steps were done, or with --expect all results are as expected; 1 a step was not done, or \
            a result is not as expected; 2 the script cannot be read, no services answer, or the play was stopped; 64 bad \
            arguments.
            """)

    @OptionGroup var options: ScriptOptions

    func validate() throws {
        guard ControlEndpoint(url: options.url)?.path == "" else {
            throw ValidationError(
                "--url \(options.url): it must be a URL like http://127.0.0.1:\(OptimizationRunCommand.defaultPort)")
        }
    }

    func run() async throws {
        let steps = try options.steps(OptimizationAction.self)
        let expectations = try options.expectations()
        let service = PlayedService(
            name: "optimization service", article: "an", command: "optimization",
            tokenVariable: OptimizationRunCommand.controlTokenVariable)
        let health = try await service.health(
            options.url, keys: ["client-id", "environment", "space", "access-token"])
        func fact(_ key: String) -> String { health.facts[key]?.string ?? "" }
        let endpoint = OptimizationEndpoint(
            url: health.url, clientID: fact("client-id"), environment: fact("environment"), space: fact("space"),
            accessToken: fact("access-token"), milliseconds: health.milliseconds)
        let loop = PlayLoop(takesMainActor: true)
        try await PlayedSession.play(options, steps: steps, expectations: expectations, on: loop) { folder in
            PlayedOptimization(endpoint, folder: folder, on: loop)
        }
    }
}
