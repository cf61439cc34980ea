/// The error for a key that is reserved by Apple.
public struct ReservedKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    public var key: String

    public init(key: String) { self.key = key }

    public var description: String { "\"\(key)\" is Apple's key; give the app's own data another name" }
}
