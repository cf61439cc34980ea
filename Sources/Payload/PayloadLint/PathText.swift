/// Operations on paths as strings, without file access.
package enum PathText {
    /// The absolute path, without `.`, `..` and repeated `/`.
    ///
    /// - Parameter folder: The folder that a relative path is relative to; an absolute path.
    package static func absolute(_ path: String, in folder: String) -> String {
        var names = path.hasPrefix("/") ? [] : PathText.names(in: folder)
        for name in PathText.names(in: path) where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// The names in a path. Splits bytes, because splitting characters takes many times as long.
    private static func names(in path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// A path split after its last `/`; the folder is empty if there is none.
    package static func split(_ path: String) -> (folder: Substring, name: Substring) {
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return (path[..<start], path[start...])
    }

    /// The folder of an absolute path; that of the root is the root.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// `path` relative to `folder`; both are absolute.
    package static func relative(_ path: String, to folder: String) -> String {
        let (names, base) = (PathText.names(in: path), PathText.names(in: folder))
        let shared = zip(names, base).prefix { $0 == $1 }.count
        let up = [Substring](repeating: "..", count: base.count - shared)
        let way = (up + names[shared...]).joined(separator: "/")
        return way.isEmpty ? "." : way
    }
}
