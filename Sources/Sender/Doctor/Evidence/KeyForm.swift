package import ProviderToken

/// The form in which the bytes of a key came, which deployments change in known ways. It has no key material.
package struct KeyForm: Hashable, Sendable {
    /// In the order in which they are undone. A text that is base64 can have the same oddity outside and inside.
    package var oddities: [Oddity]
    /// Why `apns send` cannot read it; nil where it can.
    package var problem: KeyError?
    /// Whether there is a key once what is odd is undone.
    package var hasKey: Bool

    package init(oddities: [Oddity] = [], problem: KeyError? = nil, hasKey: Bool = true) {
        self.oddities = oddities
        self.problem = problem
        self.hasKey = hasKey
    }

    /// Reads a key in any form.
    ///
    /// - Returns: The key, where there is one, and what is said about its form.
    package static func read(_ bytes: [UInt8]) -> (form: KeyForm, key: SigningKey?) {
        if !bytes.isEmpty, bytes.allSatisfy({ $0 == 0 }) {
            let problem = KeyError(
                .empty, "the file has \(bytes.count) bytes, all of them zero; copy it again as it was downloaded")
            return (KeyForm(problem: problem, hasKey: false), nil)
        }
        let restored = RestoredKeyText(bytes)
        var form = KeyForm(oddities: restored.oddities)
        do throws(KeyError) {
            return (form, try SigningKey(content: bytes))
        } catch {
            form.problem = error
        }
        var key: SigningKey?
        if !form.oddities.isEmpty { key = try? SigningKey(content: restored.text) }
        form.hasKey = key != nil
        // Base64 of something else is not a form of a key.
        if key == nil, let place = form.oddities.firstIndex(where: \.isBase64) {
            form.oddities.removeSubrange(place...)
        }
        return (form, key)
    }

    /// Whether the text is fine and the key in it is of a kind that APNs does not take.
    package var isOtherKind: Bool {
        guard let problem, !hasKey else { return false }
        return !KeyForm.codesOfForm.contains(problem.code)
    }

    private static let codesOfForm: Set<KeyError.Code> = [
        .empty, .tooLarge, .unreadable, .noVariable, .noKey, .truncated, .malformed,
    ]

    /// How a shell writes the file as it was downloaded, from a file `KEY`; nil where nothing is odd. The command undoes all
    /// that is odd, in order.
    package var remedy: String? {
        guard let first = oddities.first else { return nil }
        var commands: [String] = []
        var former: [String] = []
        for oddity in oddities {
            let own = oddity.commands
            if own != former { commands += own }
            former = own
        }
        commands[0] += " < KEY"
        let purpose = oddities.count == 1 ? first.purpose : "undo all of it"
        return "\(purpose): (umask 077; \(commands.joined(separator: " | ")) > AuthKey.p8)"
    }
}
