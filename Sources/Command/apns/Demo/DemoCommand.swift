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
            merges it into its store.

            Then come two more devices of the same user, and what is hard: one of them is offline; a save of 12 records \
            fails by the trigger's flaw; 500 records change at once; an app is thrown out; the session expires; a record \
            changes at both ends. At last the regular sync makes both stores equal to the CRM, and requests and bytes \
            are set against polling and full syncs. Everything runs on free loopback ports and is gone afterwards.

            EXAMPLE
              apns demo

            EXIT STATUS: 0 every record arrived; 1 one did not; 2 the demo could not run; 64 bad arguments.
            """)

    @Flag(help: "The first change only.")
    var short = false

    func run() async throws {
        try await Demo().run(isShort: short)
    }
}
