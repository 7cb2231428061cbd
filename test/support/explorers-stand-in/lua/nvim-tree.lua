-- In the place of nvim-tree where it is not there.
return { setup = function() end }
