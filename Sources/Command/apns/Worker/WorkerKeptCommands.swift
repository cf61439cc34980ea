import ArgumentParser
import PushQueue

/// `apns worker dead`: what could not be sent.
struct WorkerDeadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "Lists, retries and drops what could not be sent.",
        discussion: """
            EXAMPLES
              apns worker dead --queue redis://127.0.0.1:6379/0 --json
              apns worker dead retry --queue redis://127.0.0.1:6379/0
              apns worker dead drop --queue redis://127.0.0.1:6379/0 1700000000000-0

            \(ExitStatus.help)
            """,
        subcommands: [List.self, Retry.self, Drop.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what could not be sent, oldest first.", discussion: KeptList.help)
        @OptionGroup var list: KeptList
        func run() async throws { try await list.run(.dead) }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes dead jobs ready again, with attempts from 0 and an age from now.",
            discussion: KeptChange.help)
        @OptionGroup var change: KeptChange
        func run() async throws { try await change.run(.dead, isRetry: true) }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes dead jobs for good.", discussion: KeptChange.help)
        @OptionGroup var change: KeptChange
        func run() async throws { try await change.run(.dead, isRetry: false) }
    }
}

/// `apns worker later`: what is sent at another time.
struct WorkerLaterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "later",
        abstract: "Lists, retries and drops what is sent later.",
        discussion: """
            EXAMPLES
              apns worker later --queue redis://127.0.0.1:6379/0 --json
              apns worker later retry --queue redis://127.0.0.1:6379/0

            \(ExitStatus.help)
            """,
        subcommands: [List.self, Retry.self, Drop.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists what is sent later, by its due time.", discussion: KeptList.help)
        @OptionGroup var list: KeptList
        func run() async throws { try await list.run(.later) }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes scheduled jobs ready at once. Attempts and age stay as they are.",
            discussion: KeptChange.help)
        @OptionGroup var change: KeptChange
        func run() async throws { try await change.run(.later, isRetry: true) }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes scheduled jobs for good.", discussion: KeptChange.help)
        @OptionGroup var change: KeptChange
        func run() async throws { try await change.run(.later, isRetry: false) }
    }
}

/// Lists a place where jobs are kept.
struct KeptList: ParsableArguments {
    static let help = """
        With --json each envelope is a line, and those of one job have the same id.

        EXIT STATUS: 0 done; 2 the queue cannot be had; 64 bad arguments.

        \(QueueOptions.environmentHelp)
        """

    @OptionGroup var queue: QueueOptions
    @Flag(help: "Print each envelope as a line of JSON, with whole device tokens.")
    var json = false

    func run(_ place: KeptPlace) async throws {
        let output = Output.standard
        let json = json
        let count = try await queue.with { queue throws(QueueError) in
            var (page, count) = (String?.none, 0)
            repeat {
                let part = try await queue.list(place, from: page, limit: 500)
                for job in part.elements {
                    for line in json ? KeptText.json(job) : [KeptText.line(job)] { output.result(line) }
                }
                count += part.elements.count
                output.flush()
                page = output.isBroken ? nil : part.next
            } while page != nil
            return count
        }
        if !json, count == 0 { output.note("There is nothing in \(place.rawValue).") }
    }
}

/// Retries or drops what is kept.
struct KeptChange: ParsableArguments {
    static let help = """
        Without an id it takes all that are there at its start. It prints how many they were.

        EXIT STATUS: 0 done; 1 an id is not there; 2 the queue cannot be had; 64 bad arguments.

        \(QueueOptions.environmentHelp)
        """

    @OptionGroup var queue: QueueOptions
    @Argument(help: "The ids, as the list shows them.")
    var ids: [String] = []
    @Flag(help: "Print the number as a line of JSON.")
    var json = false

    private static let idsInCall = 500

    func run(_ place: KeptPlace, isRetry: Bool) async throws {
        let ids = ids
        let count = try await queue.with { queue throws(QueueError) in
            func change(_ ids: [String]) async throws(QueueError) -> Int {
                isRetry ? try await queue.retry(place, ids) : try await queue.drop(place, ids)
            }
            var count = 0
            if !ids.isEmpty {
                for start in stride(from: 0, to: ids.count, by: KeptChange.idsInCall) {
                    count += try await change(Array(ids[start..<min(start + KeptChange.idsInCall, ids.count)]))
                }
                return count
            }
            // What is dead or scheduled from now on stays: a retried job that fails at once must not come here again.
            var left = place == .dead ? try await queue.status().dead : try await queue.status().later
            // A key with the data of another program counts as empty. Listing it fails, and says which.
            if left == 0 { _ = try await queue.list(place, from: nil, limit: 1) }
            while left > 0 {
                let part = try await queue.list(place, from: nil, limit: min(left, KeptChange.idsInCall)).elements
                guard !part.isEmpty else { return count }
                count += try await change(part.map(\.id))
                left -= part.count
            }
            return count
        }
        let verb = isRetry ? "retried" : "dropped"
        Output.standard.result(json ? #"{"\#(verb)":\#(count)}"# : "\(verb) \(count)")
        if !ids.isEmpty, count < Set(ids).count {
            Output.standard.note("\(Set(ids).count - count) of the ids are not in \(place.rawValue).")
            try ExitStatus.no.end()
        }
    }
}
