import PushDispatch

/// What a step makes an app do.
package protocol PlayAction: Sendable {
    /// The names of all steps of this kind, for messages.
    static var names: [String] { get }

    /// Takes the keys of a step; the caller checks that none is left.
    ///
    /// - Parameter name: One of `names`.
    static func read(_ name: String, _ members: inout PlayMembers) throws(PlayMistake) -> Self
}

/// A line of a script.
package struct PlayStep<Action: PlayAction>: Sendable {
    package enum Kind: Sendable {
        case app(Action)
        /// Milliseconds of virtual time.
        case advance(Int64)
        case wait
    }

    /// As in `do`.
    package var name: String
    package var kind: Kind

    /// The most that is read of a line. A push has at most 4 KiB.
    package static var maximumBytes: Int { 1 << 20 }

    /// Reads a line.
    ///
    /// - Returns: Nil for a blank line and for one that begins with `#`.
    package static func read(_ line: [UInt8]) throws(PlayMistake) -> PlayStep? {
        guard !PlayText.isSkipped(line) else { return nil }
        let value: JSONValue
        do throws(JSONReadError) {
            value = try JSONReader.read(
                line, limits: JSONLimits(maximumBytes: maximumBytes, maximumDepth: 64, maximumValues: 100_000))
        } catch {
            throw PlayMistake("\(error); a line has one whole step, such as {\"do\":\"wait\"}")
        }
        guard let object = value.object else {
            throw PlayMistake("it is \(value.kindInWords); a step is an object such as {\"do\":\"wait\"}")
        }
        return try PlayStep(object)
    }

    private init(_ object: [String: JSONValue]) throws(PlayMistake) {
        let known = (Action.names + ["advance", "wait"]).sorted()
        guard let key = object["do"] else {
            throw PlayMistake("the step has no \"do\"; it names what to do, such as {\"do\":\"wait\"}")
        }
        guard let name = key.string else {
            throw PlayMistake("\"do\" is \(key.kindInWords); the name of a step is wanted, such as \"wait\"")
        }
        guard known.contains(name) else { throw .unknown("step", name, among: known) }
        var members = PlayMembers(object, "the step \"\(name)\"")
        _ = members.raw("do")
        switch name {
        case "advance":
            kind = .advance(
                try members.required("by", "a duration such as 601s") { members throws(PlayMistake) in
                    try members.duration("by")
                })
        case "wait": kind = .wait
        default: kind = .app(try Action.read(name, &members))
        }
        try members.finish()
        self.name = name
    }
}
