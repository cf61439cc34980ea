import ArgumentParser

/// Shows the whole loop in one terminal.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: """
            Shows the whole loop in one terminal: change, trigger, send, gateway, device, dispatch, fetch, merge.
            """,
        discussion: """
            A record changes in a simulated CRM; its silent push is checked, signed and sent over HTTP/2 and TLS to a \
            gateway simulator, which delivers it to a device in a process of its own; that fetches the one record and \
            merges it into its store. Everything runs on free loopback ports and is gone afterwards.

            EXAMPLE
              apns demo

            EXIT STATUS: 0 the record arrived; 1 it did not; 2 the demo could not run; 64 bad arguments.
            """)

    func run() async throws {
        try await Demo().run()
    }
}
