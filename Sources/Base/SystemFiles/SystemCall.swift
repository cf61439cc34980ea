#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// System calls that have the same names as functions of this package.
package enum SystemCall {
    package static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes, count)
        #elseif canImport(Musl)
            Musl.write(file, bytes, count)
        #else
            Darwin.write(file, bytes, count)
        #endif
    }

    package static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(file, bytes, count)
        #elseif canImport(Musl)
            Musl.read(file, bytes, count)
        #else
            Darwin.read(file, bytes, count)
        #endif
    }

    package static func rename(_ source: String, _ target: String) -> Int32 {
        #if canImport(Glibc)
            Glibc.rename(source, target)
        #elseif canImport(Musl)
            Musl.rename(source, target)
        #else
            Darwin.rename(source, target)
        #endif
    }
}
