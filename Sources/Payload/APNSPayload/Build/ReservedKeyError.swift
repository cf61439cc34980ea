/// A key that is not the app's to choose.
public struct ReservedKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public var key: String

    public init(key: String) { self.key = key }

    public var description: String { "\"\(key)\" is Apple's key; give the app's own data another name" }
}
