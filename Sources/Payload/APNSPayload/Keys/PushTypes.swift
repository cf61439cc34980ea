package import APNSModel

/// A set of push types, for the rules and keys that apply to some of them only.
package struct PushTypes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let alert = PushTypes(rawValue: 1 << 0)
    package static let background = PushTypes(rawValue: 1 << 1)
    package static let complication = PushTypes(rawValue: 1 << 2)
    package static let controls = PushTypes(rawValue: 1 << 3)
    package static let fileprovider = PushTypes(rawValue: 1 << 4)
    package static let liveactivity = PushTypes(rawValue: 1 << 5)
    package static let location = PushTypes(rawValue: 1 << 6)
    package static let mdm = PushTypes(rawValue: 1 << 7)
    package static let pushtotalk = PushTypes(rawValue: 1 << 8)
    package static let voip = PushTypes(rawValue: 1 << 9)
    package static let widgets = PushTypes(rawValue: 1 << 10)
    /// A push type that Apple does not document.
    package static let undocumented = PushTypes(rawValue: 1 << 11)
    /// No push type, or an unknown one.
    package static let absent = PushTypes(rawValue: 1 << 12)

    package static let any = PushTypes(rawValue: (1 << 13) - 1)

    /// The element for the value of a header.
    package init(of pushType: PushType?) {
        guard let pushType else {
            self = .absent
            return
        }
        self = PushTypes.elements[pushType] ?? .undocumented
    }

    private static let elements: [PushType: PushTypes] = Dictionary(
        uniqueKeysWithValues: PushType.known.enumerated().map {
            ($0.element, PushTypes(rawValue: 1 << UInt16($0.offset)))
        })

    /// The documented push types of the set, in the order of `PushType.known`.
    package var documented: [PushType] {
        PushType.known.enumerated().filter { rawValue & 1 << UInt16($0.offset) != 0 }.map(\.element)
    }
}
