import ArgumentParser
import OptimizationSimulator
import PushDispatch

/// `apns optimization allocate`: the numbers that decide, without a service.
struct OptimizationAllocateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocate",
        abstract: "Prints which variant of an experience each profile gets, and the numbers that decide it.",
        discussion: """
            EXAMPLES:
              apns optimization allocate --experience hero.json --profile profile-1
              apns optimization allocate --experience exp-1 --profile p-1 --json
              apns optimization allocate --text traffic-exp-1-profile-2

            With a file, a profile is in if the traffic of the experience is greater than its number; the audience is not \
            looked at, because a profile id alone says nothing about it. With an id only the two numbers are printed. An \
            argument of --experience with a slash or the ending .json is a file.

            EXIT STATUS: 0 done; 2 the file cannot be read or has no experience; 64 bad arguments.
            """)

    @Option(help: ArgumentHelp("A file of entries, or the id of an experience.", valueName: "file|id"))
    var experience: String?
    @Option(
        help: ArgumentHelp("The stable id of a profile. May be given several times.", valueName: "id"))
    var profile: [String] = []
    @Option(help: "Print the hash and the number of this text.")
    var text: String?
    @Flag(help: "Print a JSON object for each line.")
    var json = false

    func validate() throws {
        guard text == nil || experience == nil && profile.isEmpty else {
            throw ValidationError("--text prints the hash of a text, and goes without --experience and --profile")
        }
        guard text != nil || experience != nil else {
            throw ValidationError(
                "--experience is missing: a file of entries or the id of an experience; or use --text")
        }
        guard text != nil || !profile.isEmpty else {
            throw ValidationError("--profile is missing: the id of a profile")
        }
        guard experience != "" else { throw ValidationError("--experience is empty") }
    }

    func run() throws {
        let lines = AllocationLines(isJSON: json)
        if let text { return lines.show(text: text) }
        guard let experience else { return }
        guard experience.contains("/") || experience.lowercased().hasSuffix(".json") else {
            for profile in profile { lines.show(profile, of: experience) }
            return
        }
        for one in try OptimizationFile.experiences(experience) {
            for profile in profile { lines.show(profile, of: one) }
        }
    }
}

/// The lines of `apns optimization allocate`.
private struct AllocationLines {
    let isJSON: Bool

    func show(text: String) {
        let (hash, number) = (Murmur3.hash(text), Murmur3.number(text))
        guard isJSON else { return Output.standard.result("\(hash)  \(number)  \(PlainText.safe(text))") }
        show([("text", .string(text)), ("hash", .integer(Int64(hash))), ("number", .number(number))])
    }

    func show(_ profile: String, of id: String) {
        let allocation = Allocation(experience: id, stableID: profile)
        guard isJSON else {
            return Output.standard.result(
                "\(PlainText.safe(profile))  \(PlainText.safe(id))  \(numbers(allocation))")
        }
        show(members(profile, id, allocation) + [("in", .null), ("variant-index", .null)])
    }

    func show(_ profile: String, of experience: Experience) {
        let allocation = Allocation(experience: experience.id, stableID: profile)
        let isIn = allocation.isIn(traffic: experience.traffic)
        let index = isIn ? allocation.variantIndex(shares: experience.distribution) : 0
        var audience: JSONValue?
        switch experience.audience {
        case .none: break
        case .id(let id): audience = .string(id)
        case .unresolved: audience = .null
        }
        guard isJSON else {
            let verdict = isIn ? (index == 0 ? "in, baseline" : "in, variant \(index)") : "not in"
            let condition =
                audience.map { "  if in the audience \(PlainText.safe($0.string ?? "that is not there"))" } ?? ""
            return Output.standard.result(
                "\(PlainText.safe(profile))  \(PlainText.safe(experience.id))  \(verdict)  \(numbers(allocation))\(condition)"
            )
        }
        var line = members(profile, experience.id, allocation)
        line += [("in", .bool(isIn)), ("variant-index", .integer(Int64(index)))]
        if let audience { line.append(("audience", audience)) }
        show(line)
    }

    private func numbers(_ allocation: Allocation) -> String {
        "traffic \(allocation.traffic)  distribution \(allocation.distribution)"
    }

    private func members(
        _ profile: String, _ id: String, _ allocation: Allocation
    ) -> [(key: String, value: JSONValue)] {
        [
            ("profile", .string(profile)), ("experience", .string(id)), ("traffic", .number(allocation.traffic)),
            ("distribution", .number(allocation.distribution)),
        ]
    }

    private func show(_ line: [(key: String, value: JSONValue)]) {
        var bytes: [UInt8] = []
        JSONValue.appendObject(line, to: &bytes)
        Output.standard.write(bytes + [0x0a])
    }
}
